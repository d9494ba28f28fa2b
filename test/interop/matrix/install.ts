import { fileURLToPath } from "node:url";
import { CommandFailed } from "./command.js";
import { installGo } from "./install-go.js";
import { installPython } from "./install-python.js";
import type { Peer } from "./peers.js";

/** How the programs of a peer are started. */
export interface Programs {
  readonly client: readonly string[];
  readonly server: readonly string[];
}

/** A peer that could not be had from its registry: no failure of ours. */
export interface Unavailable {
  readonly unavailable: string;
}

const program = (file: string): string => fileURLToPath(new URL(`../programs/${file}`, import.meta.url));

/** Programs in TypeScript run as they are; a second process in between would outlive the first. */
export const jsPrograms = (id: string): Programs => ({
  client: [process.execPath, "--import", "tsx", program("js/client.ts"), id],
  server: [process.execPath, "--import", "tsx", program("js/server.ts"), id],
});

/** Makes the programs of a peer runnable: npm peers are always there, the others are fetched unless they are kept. */
export async function install({ id, language }: Peer): Promise<Programs | Unavailable> {
  try {
    switch (language) {
      case "js":
        return jsPrograms(id);
      case "python": {
        const python = await installPython(program(`python/requirements-${id.replace("python-", "")}.txt`));
        const folder = program(`python/${id.replace("python-", "sdk-")}`);
        return {
          client: [python, "-B", `${folder}/client.py`],
          server: [python, "-B", `${folder}/server.py`],
        };
      }
      case "go": {
        const binary = await installGo(program("go"));
        return { client: [binary, "client"], server: [binary, "server"] };
      }
    }
  } catch (error) {
    if (error instanceof CommandFailed) return { unavailable: error.message };
    throw error;
  }
}
