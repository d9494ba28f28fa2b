/** What json-schema-to-typescript reads here: JSON Schema, with `tsType` where the name of a type is already known. */
export interface TypeSchema {
  readonly description?: string;
  readonly type?: string;
  readonly tsType?: string;
  readonly const?: string | number | boolean;
  readonly items?: TypeSchema;
  readonly properties?: Readonly<Record<string, TypeSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: TypeSchema | false;
  readonly anyOf?: readonly TypeSchema[];
  readonly allOf?: readonly TypeSchema[];
}

interface Tool {
  compile: (schema: TypeSchema, name: string, options: Readonly<Record<string, unknown>>) => Promise<string>;
}

// Named by a variable: the declarations of its own dependencies do not pass under exactOptionalPropertyTypes.
const TOOL: string = "json-schema-to-typescript";
const { compile } = (await import(TOOL)) as Tool;

/** One declaration as TypeScript, unformatted. */
export const json2ts = (schema: TypeSchema, name: string): Promise<string> =>
  compile(schema, name, {
    additionalProperties: false,
    bannerComment: "",
    declareExternallyReferenced: false,
    format: false,
    ignoreMinAndMaxItems: true,
  });
