import { A2AError } from "../errors.js";
import type { Letter, Scope, TaskStore } from "../store/types.js";

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
    if (!(await this.#host.store.mail.post(letter))) return undefined;
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
    });
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
        answer = await mail.collect(letter);
      } while (answer === undefined && isAsked(pending));
      this.#failing = false;
      if (answer === undefined) {
        if (!visit || (await this.#host.visit(letter))) return;
        // It may have been answered with what ended the task.
        answer = await mail.collect(letter);
      }
      if (this.#pending.delete(letter.id)) pending.settle(answer);
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
