import type { Artifact } from "./a2a-types.js";

/** Where a session keeps the files of artifacts: a folder, S3, … */
export interface FileStore {
  /** Keeps the file parts of an artifact, instead of those that were kept before, and says where they are. */
  save(taskId: string, artifact: Artifact): Promise<string[]>;
  /** Where the files of an artifact are; empty where there are none. */
  get(taskId: string, artifactId: string): Promise<string[]>;
  /** Forgets the files of an artifact; none is no error. */
  delete(taskId: string, artifactId: string): Promise<void>;
}
