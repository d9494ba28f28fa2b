import { readdir, rm } from "node:fs/promises";
import type { Artifact, FilePart } from "./a2a-types.js";
import type { FetchFileOptions } from "./fetch-file.js";
import type { FileStore } from "./file-store.js";
import { isMissing } from "./is-missing.js";
import { freeName, safeFileName, safeName } from "./safe-name.js";
import { TEMPORARY, writeFileWhole } from "./write-file.js";

/** Options of a `LocalFileStore`. */
export interface LocalFileStoreOptions extends Partial<FetchFileOptions> {
  /** Whether files that are named by a URL are fetched. Default true. */
  readonly fetchUris?: boolean | undefined;
  /** Told of files that were not saved, and why. */
  readonly onProblem?: ((problem: string) => void) | undefined;
}

/** Largest file unless an option says otherwise: 10 MiB. */
const MAX_BYTES = 10 * 1024 * 1024;

/**
 * Files of artifacts in a folder: `<folder>/<task id>/<artifact id>/<file name>`. No id or name leads out of it, and files of
 * one name are kept beside each other. Files that are named by a URL are fetched from public addresses (`allow` names
 * others), up to `maxBytes` (10 MiB) within `timeoutMs` (30,000); what cannot be had is told to `onProblem`.
 */
export class LocalFileStore implements FileStore {
  readonly #folder: string;
  readonly #options: LocalFileStoreOptions;

  /** @param folder is made with the first file. */
  constructor(folder: string, options: LocalFileStoreOptions = {}) {
    this.#folder = folder;
    this.#options = options;
  }

  async save(taskId: string, artifact: Artifact): Promise<string[]> {
    const folder = this.#path(taskId, artifact.artifactId);
    const taken = new Set<string>();
    const saved: string[] = [];
    for (const [index, part] of artifact.parts.entries()) {
      if (part.kind !== "file") continue;
      const content = await this.#contentOf(part, artifact);
      if (content === undefined) continue;
      const name = freeName(safeFileName(part.file.name ?? "") || `file_${index}`, taken);
      taken.add(name.toLowerCase());
      await writeFileWhole(`${folder}/${name}`, content);
      saved.push(`${folder}/${name}`);
    }
    if (saved.length === 0) return saved;
    for (const path of await list(folder)) {
      if (!saved.includes(path)) await rm(path, { force: true });
    }
    return saved;
  }

  async get(taskId: string, artifactId: string): Promise<string[]> {
    return list(this.#path(taskId, artifactId));
  }

  async delete(taskId: string, artifactId: string): Promise<void> {
    await rm(this.#path(taskId, artifactId), { recursive: true, force: true });
  }

  #path(taskId: string, artifactId: string): string {
    return `${this.#folder}/${safeName(taskId)}/${safeName(artifactId)}`;
  }

  /** The bytes of a file; undefined where they cannot be had. */
  async #contentOf({ file }: FilePart, artifact: Artifact): Promise<Uint8Array | undefined> {
    if (file.bytes !== undefined) return Buffer.from(file.bytes, "base64");
    const { fetchUris = true, maxBytes = MAX_BYTES, timeoutMs = 30_000, allow, lookup } = this.#options;
    if (file.uri === undefined || !fetchUris) return undefined;
    const { fetchFile } = await import("./fetch-file.js");
    try {
      return await fetchFile(file.uri, { maxBytes, timeoutMs, allow, lookup });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#options.onProblem?.(`A file of artifact ${artifact.artifactId} was not saved: ${reason}`);
      return undefined;
    }
  }
}

async function list(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && !entry.name.startsWith(TEMPORARY))
      .map(({ name }) => `${folder}/${name}`)
      .sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
