import { DEADLINE_MS, type CloseOptions } from "./drain.js";

/** `close` of a server: whatever is asked for later, the first call decides. */
export type Close = (options?: CloseOptions) => Promise<void>;

/** A `close` that runs once. */
export function closeOnce(run: (deadlineMs: number) => Promise<void>): Close {
  let closing: Promise<void> | undefined;
  return ({ deadlineMs = DEADLINE_MS } = {}) => (closing ??= run(deadlineMs));
}

/** What can be closed, and disposed of at once. The members of `server` stay accessors where they are some. */
export function withClose<T extends object>(server: T, close: Close): T & { close: Close } & AsyncDisposable {
  return Object.assign(server, { close, [Symbol.asyncDispose]: () => close({ deadlineMs: 0 }) });
}
