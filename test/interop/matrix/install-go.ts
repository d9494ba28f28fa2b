import { join } from "node:path";
import { cacheFolder } from "./cache-folder.js";
import { command } from "./command.js";

/** Fetches the modules of a Go program and builds it; Go itself keeps both. Gives the binary. */
export async function installGo(folder: string): Promise<string> {
  const binary = join(cacheFolder(), "go-peer");
  await command(["go", "mod", "download"], { cwd: folder });
  try {
    await command(["go", "build", "-o", binary, "."], { cwd: folder, timeoutMs: 300_000 });
  } catch (error) {
    // The modules are here, so this is the program's fault.
    throw new Error(`the Go peer does not build: ${(error as Error).message}`, { cause: error });
  }
  return binary;
}
