import type { ObjectConversion } from "../descriptor.js";
import { ABSENT, type Direction } from "./context.js";
import { isDefault } from "./is-default.js";
import { movesOf, sourceOf, targetOf } from "./moves.js";
import { compileWrite, type Write } from "./write.js";
import { writeJson } from "./write-json.js";

/** How one member is written. */
interface Piece {
  readonly key: string;
  /** `,"name":` */
  readonly name: string;
  readonly write: Write | undefined;
  readonly lean: boolean;
  readonly required: boolean;
  /** Something else is written in its place where it is missing. */
  readonly filled: boolean;
}

/** An object whose members all become one member each; undefined for any other, `whole` writes what needs filling. */
export function compileWriteObject(
  rule: ObjectConversion,
  direction: Direction,
  whole: Write,
): Write | undefined {
  const pieces = piecesOf(rule, direction);
  if (pieces === undefined) return undefined;
  const head = headOf(rule, direction);
  const fills = pieces.filter(({ filled }) => filled).length;
  return (value, ctx) => {
    const object = value as Readonly<Record<string, unknown>>;
    const { path } = ctx;
    let text = head;
    let missing = fills;
    for (let index = 0; index < pieces.length; index++) {
      const piece = pieces[index];
      if (piece === undefined) break;
      const { key, write } = piece;
      const item = object[key];
      if (item === undefined || (piece.lean && isDefault(item))) continue;
      let member: string | typeof ABSENT;
      if (write === undefined) member = writeJson(item);
      else {
        path.push(key);
        member = write(item, ctx);
        path.pop();
        if (member === ABSENT && piece.required) return ABSENT;
      }
      if (member === ABSENT) continue;
      if (piece.filled) missing--;
      text += (text.length === 1 ? piece.name.slice(1) : piece.name) + member;
    }
    return missing === 0 ? `${text}}` : whole(value, ctx);
  };
}

function piecesOf(rule: ObjectConversion, direction: Direction): readonly Piece[] | undefined {
  const [source, target] = [sourceOf(direction), targetOf(direction)];
  const { writing } = movesOf(rule, direction);
  if (writing === undefined || rule.names !== undefined || (rule.always?.[target] ?? []).length > 0)
    return undefined;
  const fills = new Set(
    rule.members.flatMap((member) => (member.fill?.[target] === undefined ? [] : [member[target] ?? ""])),
  );
  const pieces: Piece[] = [];
  for (const { key, how } of writing) {
    const to = how.plain ?? how.made;
    if (to === undefined) return undefined;
    const as = rule.members.find((member) => member[source] === key)?.as;
    pieces.push({
      key,
      name: `,${JSON.stringify(to)}:`,
      write: how.made === undefined || as === undefined ? undefined : compileWrite(as, direction),
      lean: how.lean,
      required: how.required,
      filled: fills.delete(to),
    });
  }
  const names = new Set([...pieces.map(({ name }) => name), ...constantsOf(rule, direction).keys()]);
  const isEach = names.size === pieces.length + constantsOf(rule, direction).size;
  return isEach && fills.size === 0 ? pieces : undefined;
}

/** `,"kind":` → `"task"`: what is always written. */
function constantsOf({ members }: ObjectConversion, direction: Direction): ReadonlyMap<string, string> {
  const [source, target] = [sourceOf(direction), targetOf(direction)];
  return new Map(
    members.flatMap((member) =>
      member.value === undefined || member[target] === undefined || member[source] !== undefined
        ? []
        : [[`,${JSON.stringify(member[target])}:`, JSON.stringify(member.value)] as const],
    ),
  );
}

const headOf = (rule: ObjectConversion, direction: Direction): string =>
  `{${[...constantsOf(rule, direction)]
    .map(([name, value]) => name + value)
    .join("")
    .slice(1)}`;
