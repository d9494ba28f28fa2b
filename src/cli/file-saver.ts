import { createHash } from "node:crypto";
import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { readFile } from "../client/read-file.js";
import { freeName, safeFileName } from "../session/safe-name.js";
import type { Message, Part, Task } from "../versions/pivot.js";
import { CliFailure } from "./failure.js";
import type { Io } from "./io.js";
import { reasonOf } from "./reason-of.js";
import type { SaveOptions } from "./save-options.js";

/** Saves the files that an agent sends. */
export interface FileSaver {
  /** The files of the artifacts and of the status; those that it has saved already are passed over. */
  task(task: Task | undefined): Promise<void>;
  /** The files of a message. */
  message(message: Message | undefined): Promise<void>;
  /** Throws where a file was not saved, so that scripts see it in the exit code. */
  end(): void;
}

/**
 * Saves files in the folder of `--save`, and says on standard error which. No name leads out of the folder, and nothing that
 * is there is written over. What a URL names is fetched from public addresses and from `--save-from` only. Without
 * `--save` it does nothing.
 */
export function fileSaver({ save: folder, saveFrom, timeout }: SaveOptions, io: Io): FileSaver {
  const done = new Set<string>();
  let unsaved = 0;

  const keep = async (part: Part): Promise<void> => {
    if (folder === undefined) return;
    const named = safeFileName(part.filename ?? "") || "file";
    try {
      const { bytes } = await readFile(part, {
        allow: saveFrom,
        signal: io.signal,
        ...(timeout !== undefined && { timeoutMs: timeout * 1000 }),
      });
      io.err(`saved ${await writeNew(folder, named, bytes)}\n`);
    } catch (error) {
      if (io.signal.aborted) throw error;
      unsaved += 1;
      io.err(`a2a-typed: not saved: ${named}: ${reasonOf(error)}\n`);
    }
  };
  const all = async (owner: readonly string[], parts: readonly Part[]): Promise<void> => {
    for (const [index, part] of parts.entries()) {
      const content = part.raw ?? part.url;
      if (folder === undefined || content === undefined) continue;
      const text = JSON.stringify([...owner, index, part.filename, content]);
      const key = createHash("sha256").update(text).digest("base64");
      if (done.has(key)) continue;
      done.add(key);
      await keep(part);
    }
  };
  const message = async (one: Message | undefined): Promise<void> => {
    if (one) await all(["message", one.messageId], one.parts);
  };

  return {
    message,
    async task(task) {
      for (const { artifactId, parts } of task?.artifacts ?? [])
        await all(["artifact", task?.id ?? "", artifactId], parts);
      await message(task?.status.message);
    },
    end() {
      if (unsaved > 0)
        throw new CliFailure(unsaved === 1 ? "a file was not saved" : `${unsaved} files were not saved`);
    },
  };
}

/** Writes a file that is not there yet, and gives its path; where one of that name is, the next free name is taken. */
async function writeNew(folder: string, name: string, bytes: Uint8Array): Promise<string> {
  await mkdir(folder, { recursive: true });
  const taken = new Set<string>();
  for (;;) {
    const free = freeName(name, taken);
    const path = join(folder, free);
    // Fails where anything is there, also a link that leads nowhere yet.
    const file = await open(path, "wx", 0o600).catch((error: unknown) => {
      if ((error as { readonly code?: string }).code === "EEXIST") return undefined;
      throw error;
    });
    if (file === undefined) {
      taken.add(free.toLowerCase());
      continue;
    }
    try {
      await file.writeFile(bytes);
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    } finally {
      await file.close();
    }
    return path;
  }
}
