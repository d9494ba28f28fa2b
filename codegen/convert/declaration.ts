import { z } from "zod";
import { InputFault } from "../load/fault.js";
import { parseJson } from "../load/parse-json.js";
import { byName } from "../load/stable-json.js";

const json = z.json();
/** `taskId`, or `pushNotificationConfig.url` for a member of a nested object. */
const path = z.string().regex(/^[\w$-]+(\.[\w$-]+)*$/, "a member, or members joined by dots");
const release = z.string().regex(/^\d+\.\d+\.\d+$/, "a release, such as 0.2.5");
const perSide = <T extends z.ZodType>(of: T) =>
  z.strictObject({ older: of.exactOptional(), newer: of.exactOptional() });

const fill = z.strictObject({
  value: json,
  /** It says what absence meant: not reported. */
  silent: z.literal(true).exactOptional(),
  /** The last release that demands it. */
  until: release.exactOptional(),
});

const member = z.strictObject({
  /** Member of the older type; default: the one of the same name. */
  older: path.exactOptional(),
  /** `not`, the name of an entry under `types`, or a hook. */
  as: z.string().exactOptional(),
  fill: perSide(fill).exactOptional(),
  unset: perSide(json).exactOptional(),
  since: perSide(release).exactOptional(),
  /** Side on which it is read and never written: peers send what only later releases have. */
  readOnly: z.enum(["older", "newer"]).exactOptional(),
  /** A side that requires it and still goes without where the other has none; who calls the converter sees to it. */
  missing: z.enum(["older", "newer"]).exactOptional(),
});

const variant = z.strictObject({
  /** Tag value, or members of which one is present. Absent: this side lacks the variant. */
  older: z.array(z.string()).min(1).exactOptional(),
  newer: z.array(z.string()).min(1).exactOptional(),
  /** The entry under `types` that the variant is. */
  as: z.string().exactOptional(),
});

/** Pairs of one type of each form. What can be derived is left out: equal names with types that fit each other. */
const type = z.strictObject({
  /** Type of the form: `Task`, or `AgentCard.security[]` for one without a name. Default: the name of the entry. */
  older: z.string().exactOptional(),
  newer: z.string().exactOptional(),
  /** The type as a whole: a hook. */
  as: z.string().exactOptional(),
  /** By member of the newer type: a member of the older one, or more about the pair. */
  members: z.record(path, z.union([path, member])).default({}),
  /** Members that have no place in the other form. */
  drop: perSide(z.array(path)).default({}),
  /** Members that are written with a fixed value and never read; literals are by themselves. */
  constants: perSide(z.record(path, json)).default({}),
  /** Members that are resource names: `"name": "tasks/{taskId}"`, with members of the other side as variables. */
  names: perSide(z.record(path, z.string())).default({}),
  /** Hooks around the object, outermost first, with the members that are left to them. */
  hooks: z
    .array(
      z.strictObject({
        hook: z.string(),
        older: z.array(path).exactOptional(),
        newer: z.array(path).exactOptional(),
      }),
    )
    .default([]),
  /** Enum: name of the newer form → of the older one; what is equal but for case, `_` and a common prefix is derived. */
  values: z.record(z.string(), z.string()).default({}),
  fallback: perSide(z.string()).exactOptional(),
  nearest: perSide(z.record(z.string(), z.string())).default({}),
  /** Enum: names of one side that are refused. */
  refuse: perSide(z.array(z.string())).default({}),
  /** Union. */
  variants: z.array(variant).exactOptional(),
  /** How a side tells its variants, where its schema has no tag: by a member of the object, or is the variant in that member. */
  selector: perSide(z.enum(["member", "wrapper"])).default({}),
  /** The older (newer) side is bare, the other has it as this member. */
  wrap: z
    .strictObject({
      side: z.enum(["older", "newer"]),
      member: z.string(),
      empty: json,
      /** What the value in it is: an entry under `types`, or a `wrap` again. */
      of: z.string().exactOptional(),
    })
    .exactOptional(),
  /** Both sides have one value only. */
  constant: z.strictObject({ older: json, newer: json }).exactOptional(),
});

const method = z.strictObject({
  older: z.string(),
  /** Entries under `types`, where the types of the methods do not say it. */
  input: z.string().exactOptional(),
  output: z.string().exactOptional(),
});

const declaration = z.strictObject({
  older: z.string(),
  newer: z.string(),
  types: z.record(z.string(), type).default({}),
  /** By name of the newer method: the older one, or null where there is none. Equal names are derived. */
  methods: z.record(z.string(), z.union([z.string(), method, z.null()])).default({}),
  /** Methods that only the older form has. */
  olderMethods: z.array(z.string()).default([]),
});

/** What `schemas/convert/<older>-<newer>.json` says about two neighbouring forms. */
export type Declaration = z.infer<typeof declaration>;
/** One entry under `types`. */
export type TypeDeclaration = z.infer<typeof type>;
/** One entry under `members`, in full. */
export type MemberDeclaration = z.infer<typeof member>;

/** Reads a declaration; what it does not know is a fault with its place. The order of keys says nothing. */
export function parseDeclaration(text: string, file: string): Declaration {
  const { data, error } = declaration.safeParse(sorted(parseJson(text, file)));
  if (data !== undefined) return data;
  const [issue] = error.issues;
  const pointer = (issue?.path ?? []).map(
    (step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`,
  );
  throw new InputFault(issue?.message ?? "does not fit", `${file}#${pointer.join("")}`);
}

/** The same value with the keys of every object in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([one], [two]) => byName(one, two));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}
