import { readFile } from "node:fs/promises";
import { CliFailure } from "./failure.js";

/** The text of a file of this machine; where it cannot be read, the failure says so in words. */
export async function readLocal(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new CliFailure(unreadable(path, error));
  }
}

/** Why a file cannot be read, without the words of the operating system. */
export function unreadable(path: string, error: unknown): string {
  const { code = "" } = error as { readonly code?: string };
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
      return `there is no file ${path}`;
    case "EISDIR":
      return `${path} is a folder, not a file`;
    case "EACCES":
    case "EPERM":
      return `${path} may not be read`;
    default:
      return `${path} cannot be read (${code})`;
  }
}
