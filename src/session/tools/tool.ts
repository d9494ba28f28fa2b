import { z } from "zod";
import { toolError } from "./tool-error.js";
import type { ToolError } from "../llm-types.js";
import type { JsonObject } from "../../descriptor.js";

/** A tool for a language model. Whatever goes wrong is an answer, not an error: `{ error: true, error_message }`. */
export interface A2ATool<Input = Readonly<Record<string, unknown>>, Output = unknown> {
  /** As the model calls it: `send_message`. */
  readonly name: string;
  /** For the model. */
  readonly description: string;
  /** What it takes, for zod. */
  readonly schema: z.ZodObject;
  /** What it takes, as JSON Schema. */
  readonly jsonSchema: JsonObject;
  /** Checks what it is given and does it. Members that are null count as absent. */
  readonly execute: (input: Input) => Promise<Output | ToolError>;
}

/** What a tool is made of. */
export interface ToolDefinition<Schema extends z.ZodObject, Output> {
  readonly name: string;
  readonly description: string;
  readonly schema: Schema;
  readonly run: (input: z.output<Schema>) => Promise<Output>;
}

/** A tool that takes anything and checks it, so that it fits any caller. */
export type DefinedTool<Output> = A2ATool<unknown, Output>;

/** Makes a tool. */
export function defineTool<Schema extends z.ZodObject, Output>({
  name,
  description,
  schema,
  run,
}: ToolDefinition<Schema, Output>): DefinedTool<Output> {
  let jsonSchema: JsonObject | undefined;
  return {
    name,
    description,
    schema,
    get jsonSchema() {
      return (jsonSchema ??= jsonSchemaOf(schema));
    },
    execute: async (input) => {
      try {
        return await run(await schema.parseAsync(withoutNulls(input)));
      } catch (error) {
        return toolError(error);
      }
    },
  };
}

/** Models write null for what they leave out. */
const withoutNulls = (input: unknown): unknown =>
  typeof input === "object" && input !== null
    ? Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null))
    : input;

function jsonSchemaOf(schema: z.ZodObject): JsonObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: "draft-7", io: "input" });
  const json: unknown = JSON.parse(JSON.stringify(rest));
  return json as JsonObject;
}
