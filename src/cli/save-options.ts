import type { Command } from "commander";
import { repeated } from "./options.js";

/** Where files go that an agent sends. */
export interface SaveOptions {
  /** A folder. */
  readonly save?: string;
  /** Targets besides public addresses that files are fetched from. */
  readonly saveFrom?: readonly string[];
  /** Seconds. */
  readonly timeout?: number;
}

/** Adds the options of a command that may save files. */
export const withSaveOptions = (command: Command): Command =>
  command
    .option("--save <dir>", "save the files that the agent sends in this folder")
    .option(
      "--save-from <host>",
      "with --save: fetch files from this host, address, range or origin too, besides public addresses; may be repeated",
      repeated,
    );
