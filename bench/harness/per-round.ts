import type { Round } from "./round.js";

/** What a case makes once in a round, for each subject. */
export function perRound<Subject extends string, T>(
  make: (subject: Subject, round: Round) => Promise<T>,
): (subject: Subject, round: Round) => Promise<T> {
  const made = new WeakMap<Round, Map<Subject, Promise<T>>>();
  return (subject, round) => {
    const known = made.get(round) ?? new Map<Subject, Promise<T>>();
    made.set(round, known);
    const own = known.get(subject) ?? make(subject, round);
    known.set(subject, own);
    return own;
  };
}
