import type { FileStore } from "./file-store.js";
import type { TaskStore } from "./task-store.js";

/** Options of `A2ASession`. */
export interface A2ASessionOptions {
  /** Default: an `InMemoryTaskStore`. */
  readonly taskStore?: TaskStore | undefined;
  /** Default null: files of artifacts are not saved. */
  readonly fileStore?: FileStore | null | undefined;
  /** Time for `sendMessage`, in seconds; default 60. */
  readonly sendMessageTimeout?: number | undefined;
  /** Time that `getTask` waits, in seconds; default 60. */
  readonly getTaskTimeout?: number | undefined;
  /** Between looks at the task of an agent that does not stream, in seconds; default 5. */
  readonly getTaskPollInterval?: number | undefined;
  /** Folders that local files may be sent from; default: anywhere. */
  readonly fileRoots?: readonly string[] | undefined;
  /** Largest local file that is sent, in bytes; default 1 MiB. */
  readonly maxFileBytes?: number | undefined;
  /** Told what could not be stored, and why. Default: `console.warn`. */
  readonly onProblem?: ((problem: string) => void) | undefined;
}

/** Options of `sendMessage`. */
export interface SendMessageOptions {
  /** The conversation to continue; default: a new one, or that of the task. */
  readonly contextId?: string | null | undefined;
  /** The task to continue. */
  readonly taskId?: string | null | undefined;
  /** In seconds. */
  readonly timeout?: number | null | undefined;
  /** JSON to send along, one part each. */
  readonly data?: readonly unknown[] | null | undefined;
  /** Files to send along: local paths, or URLs. */
  readonly files?: readonly string[] | null | undefined;
}

/** Options of `getTask`. */
export interface GetTaskOptions {
  /** In seconds. */
  readonly timeout?: number | null | undefined;
  /** In seconds. */
  readonly pollInterval?: number | null | undefined;
}
