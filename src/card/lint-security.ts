import { readSignature } from "./protected-header.js";
import type { CardRule } from "./lint-types.js";

/** Flows that OAuth 2.1 gave up. */
const DEPRECATED: readonly string[] = ["implicit", "password"];

/** Schemes, what requires them, and signatures. */
export const lintSecurity: CardRule = (card, _means, report) => {
  const schemes = card.securitySchemes ?? {};
  const requirements = [
    { at: ["securityRequirements"] as const, list: card.securityRequirements ?? [] },
    ...card.skills.map(({ securityRequirements = [] }, i) => ({
      at: ["skills", i, "securityRequirements"] as const,
      list: securityRequirements,
    })),
  ];
  for (const { at, list } of requirements) {
    list.forEach(({ schemes: named = {} }, i) => {
      for (const name of Object.keys(named)) {
        if (Object.hasOwn(schemes, name)) continue;
        report("error", [...at, i, "schemes", name], "is no scheme of securitySchemes", "A2A-4.5.x-c");
      }
    });
  }
  for (const [name, scheme] of Object.entries(schemes)) {
    const flows = Object.keys(scheme.oauth2SecurityScheme?.flows ?? {});
    for (const flow of flows) {
      if (!DEPRECATED.includes(flow)) continue;
      const at = ["securitySchemes", name, "oauth2SecurityScheme", "flows", flow];
      report("warning", at, "is a flow that OAuth 2.1 gave up", "A2A-4.5.d-a");
    }
  }
  (card.signatures ?? []).forEach((signature, i) => {
    const { problem, header } = readSignature(signature);
    // One that can be read and names too little is of no use, and no contradiction.
    if (problem !== undefined) {
      report(header === undefined ? "error" : "warning", ["signatures", i], problem, "A2A-4.4.7-a");
    }
  });
};
