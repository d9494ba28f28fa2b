import type { ConversionRule } from "../../src/descriptor.js";
import { literal, object, quote } from "../emit/code.js";
import { createFile } from "../emit/file.js";
import type { HopDraft, MemberDraft, RuleDraft, VariantDraft } from "./draft.js";

/** What the rules of one module share. */
interface Scope {
  readonly hop: HopDraft;
  /** Entries whose constant stands above. */
  readonly done: Set<string>;
  /** Local name of the rule that changes nothing; asking for it has it written. */
  readonly same: () => string;
}

/** A hop as a module: one constant for each rule that has a name and changes something, then the hop itself. */
export function emitHop(hop: HopDraft, seam: string, header: string): string {
  const file = createFile();
  file.declare("hop");
  const type = file.use(seam, "Hop");
  const rule = file.use(seam, "ConversionRule");
  const written = Object.entries(hop.types).filter(([, entry]) => entry.rule.is !== "same");
  for (const [name] of written) file.declare(name);
  const same = file.local("same");
  const used = new Set<string>();
  const scope: Scope = {
    hop,
    done: new Set(),
    same() {
      used.add(same);
      return same;
    },
  };
  const rules = inOrder(hop).flatMap((name) => {
    const entry = hop.types[name];
    if (entry === undefined || entry.rule.is === "same") return [];
    const value = code(entry.rule, scope).text;
    scope.done.add(name);
    return [{ name, type: rule, value, exported: false }];
  });
  const value = hopCode(hop, scope);
  if (used.has(same)) file.constant({ name: same, type: rule, value: `{ is: "same" }`, exported: false });
  for (const constant of rules) file.constant(constant);
  file.constant({ name: "hop", doc: `Between A2A ${hop.older} and ${hop.newer}, both ways.`, type, value });
  return file.text(`${header}\n`);
}

/** The hop itself as an object literal. */
function hopCode(hop: HopDraft, scope: Scope): string {
  const names = Object.entries(hop.types).sort(([a], [b]) => (a < b ? -1 : 1));
  const types = names.map(
    ([name, entry]) =>
      [
        name,
        object([
          ["older", quote(entry.older)],
          ["newer", quote(entry.newer)],
          ["rule", entry.rule.is === "same" ? scope.same() : name],
        ]),
      ] as const,
  );
  const methods = hop.methods.map((method) =>
    object([
      ["older", quote(method.older)],
      ["newer", quote(method.newer)],
      ["input", code(method.input, scope).text],
      ["output", code(method.output, scope).text],
    ]),
  );
  return object([
    ["older", quote(hop.older)],
    ["newer", quote(hop.newer)],
    ["types", object(types)],
    ["methods", `[${methods.join(", ")}]`],
  ]);
}

/** A rule as code. `late`: it names a constant that stands further down, so it may only stand behind a getter. */
interface Code {
  readonly text: string;
  readonly late: boolean;
}

const now = (text: string): Code => ({ text, late: false });

const property = (name: string, { text, late }: Code): string =>
  late ? `get ${name}() { return ${text}; }` : `${name}: ${text}`;

function code(rule: RuleDraft, scope: Scope): Code {
  switch (rule.is) {
    case "ref":
      return { text: rule.name, late: !scope.done.has(rule.name) };
    case "same":
      return now(scope.same());
    case "items":
    case "wrap": {
      const { of, ...facts } = rule;
      return now(withRule(facts, "of", code(of, scope)));
    }
    case "hook": {
      const { of, ...facts } = rule;
      return now(of === undefined ? literal(facts) : withRule(facts, "of", code(of, scope)));
    }
    case "object": {
      const { members, is, ...more } = rule;
      const list = members.map((of) => memberCode(of, scope)).join(", ");
      return now(`{ is: ${quote(is)}, members: [${list}]${rest(more)} }`);
    }
    case "union": {
      const { variants, ...facts } = rule;
      const list = variants.map((variant) => memberCode(variant, scope)).join(", ");
      return now(`{ ${inside(facts)}, variants: [${list}] }`);
    }
    default:
      return now(literal(rule satisfies ConversionRule));
  }
}

const memberCode = ({ as, ...facts }: MemberDraft | VariantDraft, scope: Scope): string =>
  as === undefined ? literal(facts) : withRule(facts, "as", code(as, scope));

const withRule = (facts: object, name: string, rule: Code): string =>
  `{ ${inside(facts)}, ${property(name, rule)} }`;

const rest = (facts: object): string => (Object.keys(facts).length === 0 ? "" : `, ${inside(facts)}`);

/** The members of an object literal. */
const inside = (facts: object): string => literal(facts).slice(1, -1).trim();

/** Entries after those that they hold. */
function inOrder(hop: HopDraft): string[] {
  const seen = new Set<string>();
  const out: string[] = [];
  const visit = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    const entry = hop.types[name];
    if (entry !== undefined) see(entry.rule);
    out.push(name);
  };
  const see = (rule: RuleDraft): void => {
    if (rule.is === "ref") visit(rule.name);
    if (rule.is === "items" || rule.is === "wrap") see(rule.of);
    if (rule.is === "hook" && rule.of !== undefined) see(rule.of);
    if (rule.is === "object") for (const { as } of rule.members) if (as !== undefined) see(as);
    if (rule.is === "union") for (const { as } of rule.variants) if (as !== undefined) see(as);
  };
  for (const name of Object.keys(hop.types).sort()) visit(name);
  return out;
}
