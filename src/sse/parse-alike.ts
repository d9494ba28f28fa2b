/** The value of a JSON text as `JSON.parse` gives it, undefined where it is none. */
export type ParseJson = (text: string) => unknown;

/** What texts that are alike have in common, around the one string in which they differ. */
interface Mould {
  readonly before: string;
  readonly after: string;
  /** A new value with this in the place of that string. */
  readonly fill: Fill;
}

type Fill = (differing: unknown) => unknown;
type Copy = Record<string, unknown>;

/** How far texts may be the same before they differ. */
const LONGEST_BEFORE = 8192;

/** What is longer is not kept until the next text comes: neither a whole text nor what others may have in common with it. */
const LONGEST_KEPT = 262_144;

/** Levels of nesting that are worth it. */
const DEEPEST = 32;

/** After so many texts in a row that were not alike, only one of as many is looked at. */
const PATIENCE = 16;

/**
 * A parser for texts that come one after the other and are mostly alike: the events of one stream, whose tokens differ in
 * one string. What is around that string is parsed once. The result is that of `JSON.parse`, whatever comes: a text that
 * begins and ends as one parsed before, up to that string and from behind it, and has one whole JSON value between, is made
 * of the same tokens but for that value.
 */
export function parserOfAlike(): ParseJson {
  let mould: Mould | undefined;
  let previous = "";
  let misses = 0;
  return (text) => {
    if (mould !== undefined) {
      const differing = between(text, mould);
      if (differing !== undefined) {
        misses = 0;
        previous = "";
        return mould.fill(differing);
      }
    }
    const value = parsed(text);
    misses += 1;
    if (value !== undefined && (misses <= PATIENCE || misses % PATIENCE === 0)) {
      mould = mouldOf(text, previous) ?? mould;
    }
    previous = text.length > LONGEST_KEPT ? "" : text;
    return value;
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What stands in the place of the string, undefined where the text is not like the others. */
function between(text: string, { before, after }: Mould): unknown {
  const end = text.length - after.length;
  // Several times as fast as `startsWith` and `endsWith`.
  if (text.slice(end) !== after || text.slice(0, before.length) !== before) return undefined;
  return parsed(text.slice(before.length, end));
}

/** What a JSON text has in common with those that differ from it in the string where the previous one does. */
function mouldOf(text: string, previous: string): Mould | undefined {
  const at = differsAt(text, previous);
  const [start, end] = (at !== undefined && stringAround(text, at)) || [];
  if (start === undefined || end === undefined || text.length - end + start > LONGEST_KEPT) return undefined;
  const before = copied(text.slice(0, start));
  const after = copied(text.slice(end));
  const zero = parsed(`${before}0${after}`);
  // The name of a member cannot be a number.
  if (zero === undefined || isDeeper(zero, DEEPEST)) return undefined;
  return { before, after, fill: outerFill(zero, parsed(`${before}1${after}`)) };
}

/** Engines keep all of the text that a slice is of, here a chunk of the stream, as long as the slice. */
const copied = (slice: string): string => String(JSON.parse(JSON.stringify(slice)));

/** Where two texts differ first; undefined where they do not, or too far on. */
function differsAt(one: string, other: string): number | undefined {
  const length = Math.min(one.length, other.length, LONGEST_BEFORE);
  for (let at = 0; at < length; at++) if (one.charCodeAt(at) !== other.charCodeAt(at)) return at;
  return undefined;
}

const isDeeper = (value: unknown, levels: number): boolean =>
  isContainer(value) && (levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1)));

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Where the string of a JSON text starts that goes on at an index, and where it ends. */
function stringAround(text: string, index: number): readonly [number, number] | undefined {
  for (let start = text.indexOf('"'); start >= 0 && start < index;) {
    let end = start + 1;
    for (let code = text.charCodeAt(end); code !== 34; code = text.charCodeAt(end))
      end += code === 92 ? 2 : 1;
    if (end >= index) return [start, end + 1];
    start = text.indexOf('"', end + 1);
  }
  return undefined;
}

/**
 * The outermost object, perhaps an envelope, is copied apart from what is in it: engines copy fast where objects of at most
 * four shapes come by, and an event has as many.
 */
function outerFill(zero: unknown, one: unknown): Fill {
  if (!isContainer(zero) || Array.isArray(zero)) return innerFill(zero, one);
  const inner = innerFills(zero, one);
  return (differing) => {
    const copy: Copy = { ...zero };
    for (const [key, fill] of inner) copy[key] = fill(differing);
    return copy;
  };
}

/**
 * From two values that are the same but for 0 and 1 in one place: copies all of them, for whoever gets the copy may change
 * it, with something else in that place.
 */
function innerFill(zero: unknown, one: unknown): Fill {
  if (!isContainer(zero)) return (differing) => differing;
  const inner = innerFills(zero, one);
  return (differing) => {
    const copy = (Array.isArray(zero) ? [...(zero as readonly unknown[])] : { ...zero }) as Copy;
    for (const [key, fill] of inner) copy[key] = fill(differing);
    return copy;
  };
}

/** The members that must not be shared: lists and objects, and what differs. */
function innerFills(zero: object, one: unknown): readonly (readonly [string, Fill])[] {
  const others = Object.values(one as object);
  return Object.entries(zero).flatMap(([key, item], index) => {
    const other: unknown = others[index];
    return item === other ? [] : [[key, innerFill(item, other)] as const];
  });
}
