// Run with --import: appends the URL of every file that is loaded to the file named by LOADED_FILES.
import { register } from "node:module";

const hook = `
  import { appendFileSync } from "node:fs";
  export async function load(url, context, next) {
    if (url.startsWith("file:")) appendFileSync(process.env.LOADED_FILES, url + "\\n");
    return next(url, context);
  }`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
