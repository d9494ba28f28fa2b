/** Emitted files by path, with `/` between folders, relative to the folder that will hold them. */
export type Output = ReadonlyMap<string, string>;

/** The same files below a folder. */
export const below = (folder: string, files: Output): Output =>
  new Map([...files].map(([name, text]) => [`${folder}/${name}`, text]));
