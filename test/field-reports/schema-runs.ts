import { expect } from "vitest";
import { readBundle } from "../../codegen/load/dialects/index.js";
import { expectedOf, inputOf, type Run } from "./cases.js";

/** Cases about reading the official schema files. */
export const schemaRuns: Record<string, Run> = {
  B041a: (fieldCase) => {
    const { $ref, definitions } = inputOf<{ $ref: string; definitions: string[] }>(fieldCase);
    const { resolvesTo } = expectedOf<{ resolvesTo: string }>(fieldCase);
    const named = definitions.map((title) => [
      title,
      { type: "object", properties: { mark: { const: title } } },
    ]);
    const holder = { type: "object", properties: { held: { $ref } } };
    const bundle = { definitions: { ...Object.fromEntries(named), Holder: holder } };
    const read = readBundle(JSON.stringify(bundle), "1.0.1").definitions;
    expect(read["Holder"]?.properties).toEqual({ held: { ref: "OAuthFlows" } });
    expect(read["OAuthFlows"]?.properties).toEqual({ mark: { const: resolvesTo } });
  },
};
