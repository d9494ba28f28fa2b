import { A2AError } from "../errors.js";

/** The outcome of something that may fail: a value with what there is to say about it, or the error. */
export type Attempt<T, More> =
  ({ readonly ok: true; readonly value: T } & More) | { readonly ok: false; readonly error: A2AError };

/** Runs what throws `A2AError`s and returns them instead; any other throw is a defect and stays one. */
export function attempt<T, More extends object>(run: () => T, more: More): Attempt<T, More> {
  try {
    return { ok: true, value: run(), ...more };
  } catch (error) {
    if (error instanceof A2AError) return { ok: false, error };
    throw error;
  }
}
