import { format } from "../emit/format.js";
import { sourceHeader } from "../emit/header.js";
import { below, type Output } from "../emit/output.js";
import { INTERNAL } from "../emit/target.js";
import type { Model } from "../ir/types.js";
import { InputFault } from "../load/fault.js";
import { emitGrpcLines } from "./emit-grpc-lines.js";
import { emitHop } from "./emit-hop.js";
import { emitConversionIndex, emitLines } from "./emit-lines.js";
import { emitTypeMaps } from "./emit-type-maps.js";
import { hopOf } from "./hop-of.js";
import type { LoadedHop } from "./load-hop.js";

/** The hops between lines, and the lists of lines and hops; neighbours without a declaration are a fault. */
export async function emitConversions(models: readonly Model[], hops: readonly LoadedHop[]): Promise<Output> {
  const neighbours = models.slice(1).map((newer, index) => {
    const older = models[index] ?? newer;
    const loaded = hops.find(
      ({ declaration }) => declaration.older === older.version && declaration.newer === newer.version,
    );
    if (loaded === undefined)
      throw new InputFault(
        `says nothing about A2A ${older.version} and ${newer.version}`,
        "schemas/convert",
        `write ${older.version}-${newer.version}.json: { "older": "${older.version}", "newer": "${newer.version}" }`,
      );
    return { loaded, hop: hopOf(loaded, older, newer) };
  });
  const files = neighbours.map(({ loaded, hop }) => {
    return [`${hop.older}-${hop.newer}.ts`, emitHop(hop, INTERNAL.seam, sourceHeader(loaded))] as const;
  });
  const rules = neighbours.map(({ hop }) => hop);
  const drafts = new Map([
    ...below("convert", new Map(files)),
    ["lines.ts", emitLines(models, rules)],
    ["grpc-lines.ts", emitGrpcLines(models)],
    ["conversions.ts", emitConversionIndex(models, rules)],
    ["converted-types.ts", emitTypeMaps(models, rules)],
  ]);
  return new Map(
    await Promise.all([...drafts].map(async ([name, text]) => [name, await format(name, text)] as const)),
  );
}
