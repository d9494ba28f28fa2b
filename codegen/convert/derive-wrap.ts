import type { Side } from "../../src/descriptor.js";
import { InputFault } from "../load/fault.js";
import type { TypeDeclaration } from "./declaration.js";
import { isLean, type Derivation, type Pair } from "./derive.js";
import type { MemberDraft, WrapDraft } from "./draft.js";

/** A value that is bare on one side and a member of an object on the other. */
export function deriveWrap(
  pair: Pair,
  { side, member, empty, of }: NonNullable<TypeDeclaration["wrap"]>,
  derivation: Derivation,
): WrapDraft {
  const place = `${pair.where}/wrap`;
  const shape = derivation[side].shapeOf(pair[side]);
  const fields = shape.kind === "object" ? shape.fields : [];
  const inner = fields.find(({ name }) => name === member)?.type;
  if (inner === undefined) throw new InputFault(`the ${side} type has no ${member}`, `${place}/member`);
  const older = side === "older" ? inner : pair.older;
  const newer = side === "newer" ? inner : pair.newer;
  const dropped = pair.declared.drop[side] ?? [];
  const rest = fields
    .filter(({ name }) => name !== member)
    .map((field): MemberDraft => {
      if (!dropped.includes(field.name))
        throw new InputFault(
          `${field.name} of the ${side} type is neither mapped nor dropped`,
          pair.where,
          "name it under drop",
        );
      return { ...at(side, field.name), ...(isLean(field) ? { lean: side } : {}) };
    });
  return {
    is: "wrap",
    side,
    member,
    of:
      of === undefined
        ? derivation.pair(older, newer, place)
        : derivation.named(of, older, newer, `${place}/of`),
    empty,
    ...(rest.length > 0 ? { rest } : {}),
  };
}

const at = (side: Side, name: string): { older?: string; newer?: string } =>
  side === "older" ? { older: name } : { newer: name };
