import type { JsonObject } from "../../descriptor.js";
import { isObject } from "../../codec/json.js";
import { report } from "../context.js";
import type { Hook } from "../hook.js";

/** The key by which the SDKs of both generations mark data that is wrapped for 0.x. */
const FLAG = "data_part_compat";

/** The data of a part: any JSON in 1.x, an object in 0.x, where anything else travels as `{ value: … }` under a flag. */
export const dataPart: Hook = {
  up(value, inner, ctx) {
    const { data, metadata } = value as Part;
    const out = inner(value, ctx) as Part;
    const flag = metadata?.[FLAG];
    const isWrapped = flag === true && isObject(data) && Object.keys(data).join() === "value";
    out.data = isWrapped ? data["value"] : data;
    if (isWrapped) {
      setMetadata(out, without(metadata, FLAG));
      // An object needs no wrapping, and will not get it going back.
      if (isObject(out.data)) report(ctx, "normalized", "data");
    }
    // Going back, it would be taken for a mark.
    else if (flag === true) report(ctx, "reserved", "metadata", FLAG);
    return out;
  },
  down(value, inner, ctx) {
    const { data, metadata } = value as Part;
    const out = inner(value, ctx) as Part;
    const isTaken = metadata !== undefined && Object.hasOwn(metadata, FLAG);
    if (isObject(data) && metadata?.[FLAG] !== true) out.data = data;
    else {
      out.data = { value: data };
      out.metadata = { ...metadata, [FLAG]: true };
      if (isTaken) report(ctx, "reserved", "metadata", FLAG);
      else if (metadata !== undefined && Object.keys(metadata).length === 0)
        report(ctx, "normalized", "metadata");
    }
    return out;
  },
};

interface Part {
  data?: unknown;
  metadata?: JsonObject | undefined;
}

/** An object without one of its members. */
function without(object: JsonObject, name: string): JsonObject {
  const { [name]: _, ...rest } = object;
  return rest;
}

function setMetadata(part: Part, metadata: JsonObject): void {
  if (Object.keys(metadata).length > 0) part.metadata = metadata;
  else delete part.metadata;
}
