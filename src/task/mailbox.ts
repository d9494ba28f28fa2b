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
  /** The task where it is worked on here, and was when `since` was asked for. */
  ours(letter: Letter, since: number): LiveTask | undefined;
  /** How many tasks were taken so far. */
  taken(): number;
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
    // Letters that are not for now: there may be others behind them.
    let passed = 0;
    try {
      do {
        this.#again = false;
        if (this.#closed) return;
        const limit = BATCH + this.#busy.size + passed;
        const since = this.#host.taken();
        const letters = await store.mail.waiting(holder, limit);
        this.#failing = false;
        passed = 0;
        for (const letter of letters) if (!this.#takes(letter, since)) passed += 1;
        // Only then is there one that it may have passed too early: a busy instance takes tasks all the time.
        const early = passed > 0 && this.#host.taken() !== since;
        if (letters.length === limit || early) this.#again = true;
      } while (this.#again);
    } catch (error) {
      // The next look tries again.
      if (!this.#failing) report("letters of other instances could not be read", error);
      this.#failing = true;
    } finally {
      this.#looking = undefined;
    }
  }

  /** Takes a letter that was read after so many tasks were taken; false where it is not for now. */
  #takes(letter: Letter, since: number): boolean {
    const { id } = letter;
    if (this.#busy.has(id)) return true;
    if (this.#closed || this.#done.has(id)) return false;
    const live = this.#host.ours(letter, since);
    // The lease is on its way to somebody else, and the letter with it. Or the task was away and came back since the letters
    // were read: others may have followed this one.
    if (live === undefined) return false;
    void this.#follow(live, letter);
    return true;
  }

  async #follow(live: LiveTask, letter: Letter): Promise<void> {
    const { id, taskId } = letter;
    const { store, report } = this.#host;
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
