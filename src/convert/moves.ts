import type { Json, MemberConversion, ObjectConversion, Side } from "../descriptor.js";
import { compile } from "./compile.js";
import type { Direction, Run } from "./context.js";

/** What becomes of one member of an object. */
export interface Move {
  /** A nested object that is taken apart. */
  readonly inner?: Moves;
  /** The member that gets its value as it is. */
  readonly plain?: string | undefined;
  /** The member that gets what `run` makes of it, and nothing else is to be looked at. */
  readonly made?: string | undefined;
  /** Where its value goes; undefined: nowhere. */
  readonly target: readonly string[] | undefined;
  readonly run: Run | undefined;
  /** A default value is left out, and not missed. */
  readonly lean: boolean;
  /** Something else takes care of it. */
  readonly ignored: boolean;
  /** Value of the source that stands for nothing. */
  readonly nothing: Json | undefined;
  /** Value that the target would take for nothing. */
  readonly taken: Json | undefined;
  /** Release from which on the target has it. */
  readonly since: string | undefined;
  readonly targetSide: Side;
  /** The target refuses `""`. */
  readonly filled: boolean;
  /** The target cannot be without it. */
  readonly required: boolean;
}

/** What becomes of the members of an object. */
export interface Moves {
  /** By the name of the member, for who has to look at every member of a value. */
  readonly byKey: ReadonlyMap<string, Move>;
  /** Those that write something, for who need not know of the others; undefined where every object inherits a name. */
  readonly writing: readonly NamedMove[] | undefined;
}

/** A move with the name of the member that it starts from. */
export interface NamedMove {
  readonly key: string;
  readonly how: Move;
}

/** The side that a direction starts from. */
export const sourceOf = (direction: Direction): Side => (direction === "up" ? "older" : "newer");
/** The side that a direction leads to. */
export const targetOf = (direction: Direction): Side => (direction === "up" ? "newer" : "older");

/** The moves of all members that the source side has. */
export function movesOf({ members, names }: ObjectConversion, direction: Direction): Moves {
  const [source, target] = [sourceOf(direction), targetOf(direction)];
  const moves = new Map<string, Move>();
  for (const member of members) {
    const from = member[source];
    if (from !== undefined) put(moves, from.split("."), moveOf(member, target, direction));
  }
  // Resource names are read, and the members that they are made of written, after the others.
  for (const { side, member, pattern } of names ?? []) {
    const taken = side === source ? [member] : variablesOf(pattern);
    for (const path of taken) put(moves, path.split("."), IGNORED);
  }
  return listed(moves);
}

function listed(byKey: ReadonlyMap<string, Move>): Moves {
  const writing = [...byKey]
    .filter(([, { inner, target }]) => inner !== undefined || target !== undefined)
    .map(([key, how]) => ({ key, how }));
  return { byKey, writing: writing.some(({ key }) => key in Object.prototype) ? undefined : writing };
}

/** `tasks/{taskId}` → `taskId`. */
export const variablesOf = (pattern: string): string[] =>
  [...pattern.matchAll(/\{([^}]*)\}/g)].map(([, name = ""]) => name);

const IGNORED: Move = {
  target: undefined,
  run: undefined,
  lean: false,
  ignored: true,
  nothing: undefined,
  taken: undefined,
  since: undefined,
  targetSide: "older",
  filled: false,
  required: false,
};

function moveOf(member: MemberConversion, target: Side, direction: Direction): Move {
  if (member.hooked === true) return IGNORED;
  // It says nothing as long as it is what is always written; any other value has no place.
  if (member.value !== undefined) return { ...IGNORED, ignored: false, nothing: member.value };
  const to = member.readOnly === target ? undefined : member[target];
  const on = (sides: Side | "both" | undefined, side: Side): boolean => sides === side || sides === "both";
  const move: Move = {
    target: to?.split("."),
    run: member.as === undefined ? undefined : compile(member.as, direction),
    // Of a member that is dropped, the mark is that of its own side.
    lean: to === undefined ? member.lean !== undefined : on(member.lean, target),
    ignored: false,
    nothing: member.unset?.[sourceOf(direction)],
    taken: member.unset?.[target],
    since: member.since?.[target],
    targetSide: target,
    filled: member.filled === target,
    required: on(member.required, target),
  };
  // Most members need nothing else: conversions spend their time here.
  const isDirect =
    (move.nothing ?? move.taken ?? move.since) === undefined && !move.filled && !to?.includes(".");
  if (!isDirect) return move;
  return move.run === undefined ? { ...move, plain: to } : { ...move, made: to };
}

function put(moves: Map<string, Move>, [step = "", ...rest]: readonly string[], move: Move): void {
  if (rest.length === 0) moves.set(step, move);
  else {
    const inner = new Map(moves.get(step)?.inner?.byKey);
    put(inner, rest, move);
    moves.set(step, { ...IGNORED, ignored: false, inner: listed(inner) });
  }
}
