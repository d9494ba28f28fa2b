import { z } from "zod";
import { InputFault } from "./fault.js";
import { parseJson } from "./parse-json.js";

const texts = z.record(z.string(), z.string());
const types = z
  .record(
    z.string(),
    z.strictObject({ doc: z.string().optional(), fields: texts.optional(), values: texts.optional() }),
  )
  .default({});
const docsSchema = z.strictObject({
  types,
  methods: texts.default({}),
  errors: texts.default({}),
  /** What the ProtoJSON form of a 0.x version has beyond the names that it shares with the JSON, or means otherwise. */
  form: z.strictObject({ types, methods: texts.default({}) }).optional(),
});

/** Our own one-line descriptions of types, fields, values, methods and errors. */
export type Docs = z.infer<typeof docsSchema>;

/** For a line that has no `docs.json` yet. */
export const noDocs: Docs = { types: {}, methods: {}, errors: {} };

/** Reads a `docs.json`; throws {@link InputFault} with the pointer of the first mistake. */
export function parseDocs(text: string, file: string): Docs {
  const parsed = docsSchema.safeParse(parseJson(text, file));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new InputFault(
    issue?.message ?? "is not a docs file",
    `${file}#/${issue?.path.map(String).join("/") ?? ""}`,
  );
}
