import { InputFault } from "../load/fault.js";
import type { Derivation } from "./derive.js";
import type { HopDraft } from "./draft.js";

/** The operations that both forms have. Each of the others must be declared as such. */
export function deriveMethods(derivation: Derivation, file: string): HopDraft["methods"] {
  const { declaration, older, newer } = derivation;
  const { methods, olderMethods } = declaration;
  const place = (name: string): string => `${file}#/methods/${name}`;
  const find = (name: string) => older.model.methods.find((method) => method.name === name);
  for (const name of Object.keys(methods)) {
    if (!newer.model.methods.some((method) => method.name === name))
      throw new InputFault(`A2A ${newer.model.version} has no method ${name}`, place(name));
  }
  for (const name of olderMethods) {
    if (find(name) === undefined)
      throw new InputFault(`A2A ${older.model.version} has no method ${name}`, `${file}#/olderMethods`);
  }
  const taken = new Set(olderMethods);
  const pairs = newer.model.methods.flatMap((method) => {
    const declared = Object.hasOwn(methods, method.name) ? methods[method.name] : method.name;
    if (declared === null || declared === undefined) return [];
    const named = typeof declared === "string" ? { older: declared } : declared;
    const partner = find(named.older);
    const where = place(method.name);
    if (partner === undefined)
      throw new InputFault(
        `A2A ${older.model.version} has no method ${named.older}`,
        where,
        `name its partner there, or say "${method.name}": null`,
      );
    if (taken.has(partner.name)) throw new InputFault(`${partner.name} has two partners`, where);
    if (partner.kind !== method.kind)
      throw new InputFault(`one of ${partner.name} and ${method.name} is a stream, the other not`, where);
    taken.add(partner.name);
    const rule = (side: "input" | "output") => {
      const name = named[side];
      return name === undefined
        ? derivation.pair(partner[side], method[side], `${where}/${side}`)
        : derivation.named(name, partner[side], method[side], `${where}/${side}`);
    };
    return [{ older: partner.key, newer: method.key, input: rule("input"), output: rule("output") }];
  });
  for (const { name } of older.model.methods) {
    if (!taken.has(name))
      throw new InputFault(
        `${name} of A2A ${older.model.version} has no partner`,
        `${file}#/methods`,
        "name it beside its partner, or under olderMethods",
      );
  }
  return pairs;
}
