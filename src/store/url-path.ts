/** The path in `sqlite:tasks.db`, `sqlite:/var/tasks.db` and `sqlite:///var/tasks.db`; likewise of a folder. */
export const urlPath = (url: string): string => url.slice(url.indexOf(":") + 1).replace(/^\/\/(?=\/)/, "");
