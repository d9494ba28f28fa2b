import { A2AError } from "../errors.js";
import type { Letter, Scope, TaskStore } from "../store/types.js";
import { later } from "./clock.js";

/** Milliseconds before a letter that could not be posted is posted again. */
const RETRIES = [50, 250, 1_000] as const;
/** Milliseconds before it is looked whether somebody can answer; doubled each time until the last. */
const FIRST_LOOK = 50;
const LAST_LOOK = 800;

/** What whoever writes letters needs around it. */
export interface LettersHost {
  readonly store: Pick<TaskStore, "mail">;
  /** Tells the owner that there is one. */
  publish(letter: Letter): void;
  /**
   * Looks who works on the task of a letter that nobody has answered. Where nobody does, this instance takes it, with its
   * letters. Resolves with false where there is nobody who could ever answer: the task has ended, or is gone.
   */
  visit(letter: Letter): Promise<boolean>;
  report(message: string, details: unknown): void;
}

interface Pending {
  readonly letter: Letter;
  readonly settle: (answer: string | undefined) => void;
  looking: boolean;
  /** Somebody said that there is an answer, while a look that may have been too early went on. */
  again: boolean;
}

/** Letters to the owners of tasks, and their answers. */
export class Letters {
  readonly #host: LettersHost;
  readonly #pending = new Map<string, Pending>();
  #closed: Error | undefined;
  #failing = false;
  #started = false;

  constructor(host: LettersHost) {
    this.#host = host;
  }

  /**
   * Asks the owner of a task for something; resolves with what it answers, undefined where the task has ended or is gone.
   * Rejects with `ABORTED` when the caller goes away: what was asked may happen all the same.
   */
  async ask(
    scope: Scope,
    taskId: string,
    text: string,
    caller?: { readonly signal: AbortSignal },
  ): Promise<string | undefined> {
    this.#refuseClosed();
    const letter: Letter = { id: crypto.randomUUID(), scope, taskId, text };
    const posted = await this.#post(letter, caller);
    if (posted !== true) return posted;
    this.#refuseClosed();
    return new Promise((resolve, reject) => {
      const signal = caller?.signal;
      const abort = (): void => {
        this.#pending.delete(letter.id);
        reject(new A2AError("ABORTED", "The caller went away", { cause: signal?.reason }));
      };
      const settle = (answer: string | undefined): void => {
        signal?.removeEventListener("abort", abort);
        if (this.#closed !== undefined && answer === undefined) reject(this.#closed);
        else resolve(answer);
      };
      this.#pending.set(letter.id, { letter, settle, looking: false, again: false });
      if (signal?.aborted === true) abort();
      else signal?.addEventListener("abort", abort);
      this.#host.publish(letter);
      this.#lookSoon(letter.id, FIRST_LOOK);
    });
  }

  /** From now on it also looks by itself, soon after it posted a letter. */
  start(): void {
    this.#started = true;
  }

  /** A letter was answered, somebody says. */
  answered(id: string): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    pending.again = true;
    void this.#look(pending, false);
  }

  /** Looks for all answers that are due. */
  look(): void {
    for (const pending of this.#pending.values()) void this.#look(pending, true);
  }

  /** Nobody waits here any longer. */
  close(reason: Error): void {
    this.#closed = reason;
    for (const { settle } of this.#pending.values()) settle(undefined);
    this.#pending.clear();
  }

  /** True where it is there; else what came of it, where that is known: the task has ended. */
  async #post(letter: Letter, caller?: { readonly signal: AbortSignal }): Promise<true | string | undefined> {
    const { mail } = this.#host.store;
    for (let tries = 0; ; tries += 1) {
      try {
        if (await mail.post(letter)) return true;
        // One that seemed to fail may have been there, and what it led to may have ended the task.
        return tries === 0 ? undefined : await mail.collect(letter, { keep: true });
      } catch (error) {
        const pause = RETRIES[tries];
        if (pause === undefined || caller?.signal.aborted === true) throw error;
        await new Promise<void>((resolve) => {
          later(pause, resolve);
        });
        this.#refuseClosed();
      }
    }
  }

  /** A letter whose answer is known. */
  async #forget(letter: Letter): Promise<void> {
    try {
      await this.#host.store.mail.collect(letter);
    } catch {
      // It goes with its task.
    }
  }

  /** The task may have changed hands just when the letter was posted: then nobody answers until somebody looks. */
  #lookSoon(id: string, ms: number): void {
    if (!this.#started || ms > LAST_LOOK) return;
    later(ms, () => {
      const pending = this.#pending.get(id);
      if (pending === undefined) return;
      void this.#look(pending, true);
      this.#lookSoon(id, 2 * ms);
    });
  }

  #refuseClosed(): void {
    if (this.#closed !== undefined) throw this.#closed;
  }

  async #look(pending: Pending, visit: boolean): Promise<void> {
    if (pending.looking) return;
    pending.looking = true;
    const { letter } = pending;
    const { mail } = this.#host.store;
    try {
      let answer: string | undefined;
      do {
        pending.again = false;
        answer = await mail.collect(letter, { keep: true });
      } while (answer === undefined && isAsked(pending));
      this.#failing = false;
      if (answer === undefined) {
        if (!visit || (await this.#host.visit(letter))) return;
        // It may have been answered with what ended the task.
        answer = await mail.collect(letter, { keep: true });
      }
      if (this.#pending.delete(letter.id)) pending.settle(answer);
      if (answer !== undefined) void this.#forget(letter);
    } catch (error) {
      // The next look tries again.
      if (!this.#failing)
        this.#host.report(`task ${letter.taskId}: no answer of the instance that works on it`, error);
      this.#failing = true;
    } finally {
      pending.looking = false;
    }
  }
}

const isAsked = ({ again }: Pending): boolean => again;
