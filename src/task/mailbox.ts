import type { Letter, TaskStore } from "../store/types.js";
import type { LiveTask } from "./live-task.js";
import { settledNow } from "./visit.js";

/** Letters that are read at a time. */
const BATCH = 100;
/** Letters that are remembered after their answer, so that a look that began before it does not bring them again. */
const REMEMBERED = 10_000;

/** Does what a letter asks for a task that is worked on here; undefined where a commit of the task bears the answer. */
export type LetterReader = (live: LiveTask, letter: Letter) => Promise<string | undefined>;

/** What the owner of tasks needs to read its letters. */
export interface MailboxHost {
  readonly store: Pick<TaskStore, "mail">;
  readonly holder: string;
  /** The task where it is worked on here. */
  ours(letter: Letter): LiveTask | undefined;
  readonly read: LetterReader;
  /** A letter was answered outside of a commit. */
  answered(letter: Letter): void;
  readonly report: (message: string, details: unknown) => void;
}

/** The letters of other instances to this one. */
export class Mailbox {
  readonly #host: MailboxHost;
  readonly #busy = new Set<string>();
  readonly #done = new Set<string>();
  #looking: Promise<void> | undefined;
  #again = false;
  #closed = false;
  #failing = false;

  constructor(host: MailboxHost) {
    this.#host = host;
  }

  /** Reads what has come; one look at a time. */
  look(): Promise<void> {
    if (this.#looking === undefined) this.#looking = this.#look();
    else this.#again = true;
    return this.#looking;
  }

  /** Reads no more: what comes is left to whoever takes over the tasks. */
  close(): void {
    this.#closed = true;
  }

  async #look(): Promise<void> {
    const { store, holder, report } = this.#host;
    try {
      do {
        this.#again = false;
        if (this.#closed) return;
        const limit = BATCH + this.#busy.size;
        const letters = await store.mail.waiting(holder, limit);
        this.#failing = false;
        for (const letter of letters) void this.#take(letter);
        if (letters.length === limit) this.#again = true;
      } while (this.#again);
    } catch (error) {
      // The next look tries again.
      if (!this.#failing) report("letters of other instances could not be read", error);
      this.#failing = true;
    } finally {
      this.#looking = undefined;
    }
  }

  async #take(letter: Letter): Promise<void> {
    const { id, taskId } = letter;
    const { store, report } = this.#host;
    if (this.#closed || this.#busy.has(id) || this.#done.has(id)) return;
    const live = this.#host.ours(letter);
    // The lease is on its way to somebody else, and the letter with it.
    if (live === undefined) return;
    this.#busy.add(id);
    try {
      const answer = await this.#host.read(live, letter);
      if (answer === undefined) await settledNow(live);
      else if (await store.mail.answer(letter, answer)) this.#host.answered(letter);
      if (live.lost === undefined) this.#remember(id);
    } catch (error) {
      report(`task ${taskId}: a letter of another instance could not be answered`, error);
    } finally {
      this.#busy.delete(id);
    }
  }

  #remember(id: string): void {
    this.#done.add(id);
    if (this.#done.size <= REMEMBERED) return;
    const [oldest] = this.#done;
    if (oldest !== undefined) this.#done.delete(oldest);
  }
}
