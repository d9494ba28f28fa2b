import type { JsonObject } from "../../descriptor.js";
import { isObject } from "../../codec/json.js";
import { report } from "../context.js";
import type { Hook } from "../hook.js";

/** The reserved metadata key of the `stashMediaTypes` option. */
const STASH = "a2a_typed_media";
const MEMBERS = ["mediaType", "filename"] as const;

/** Media type and file name of text and data parts, which 0.x has no place for: dropped, or kept under a metadata key. */
export const mediaTypeStash: Hook = {
  up(value, inner, ctx) {
    const out = inner(value, ctx) as Part;
    if (ctx.options.stashMediaTypes !== true) return out;
    const stash = (value as Part).metadata?.[STASH];
    if (!isStash(stash)) return out;
    Object.assign(out, stash);
    const { [STASH]: _, ...rest } = out.metadata ?? {};
    if (Object.keys(rest).length > 0) out.metadata = rest;
    else delete out.metadata;
    return out;
  },
  down(value, inner, ctx) {
    const part = value as Part;
    const out = inner(value, ctx) as Part;
    if (isBare(part)) return out;
    const found = MEMBERS.filter((name) => part[name] !== undefined && part[name] !== "");
    if (found.length === 0) return out;
    const { metadata } = part;
    const isTaken = metadata !== undefined && Object.hasOwn(metadata, STASH);
    if (ctx.options.stashMediaTypes !== true || isTaken) {
      if (ctx.options.stashMediaTypes === true) report(ctx, "reserved", "metadata", STASH);
      for (const name of found) report(ctx, "dropped", name);
      return out;
    }
    const stash = Object.fromEntries(found.map((name) => [name, part[name] ?? ""]));
    out.metadata = { ...out.metadata, [STASH]: stash };
    if (metadata !== undefined && Object.keys(metadata).length === 0) report(ctx, "normalized", "metadata");
    return out;
  },
  leaves: { down: (value) => isBare(value as Part) },
};

const isBare = ({ mediaType, filename }: Part): boolean => mediaType === undefined && filename === undefined;

interface Part {
  mediaType?: string;
  filename?: string;
  metadata?: JsonObject;
}

/** Only what this hook writes is taken for it. */
const isStash = (value: unknown): value is Record<(typeof MEMBERS)[number], string> =>
  isObject(value) &&
  Object.keys(value).length > 0 &&
  Object.entries(value).every(
    ([name, of]) => MEMBERS.some((member) => member === name) && typeof of === "string" && of !== "",
  );
