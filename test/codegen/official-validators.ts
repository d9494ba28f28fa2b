import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";

type Validate = (value: unknown) => boolean;
type Bundle = { definitions: Record<string, object> };

/** The official JSON Schema of a release, compiled as it is: a validator for a name or a pointer into it. */
export function officialValidators(dir: string, release: string): (pointer: string) => Validate | undefined {
  const bundle = JSON.parse(readFileSync(`${dir}/v${release}/a2a.json`, "utf8")) as Bundle;
  return release.startsWith("0.") ? plain(bundle) : bundled(bundle);
}

/** 0.x: one draft-07 document, read by pointer. */
function plain(bundle: Bundle): (pointer: string) => Validate | undefined {
  const ajv = new Ajv({ strict: false, logger: false });
  formats.default(ajv);
  ajv.addSchema(bundle, "a2a");
  return (pointer) => {
    try {
      return ajv.getSchema(`a2a${pointer}`) as Validate | undefined;
    } catch {
      return undefined;
    }
  };
}

/** 1.x: many documents whose `$ref`s are file names; the `$id`s that the bundle lost are put back. */
function bundled({ definitions }: Bundle): (pointer: string) => Validate | undefined {
  const ajv = new Ajv2020({ strict: false, logger: false });
  formats.default(ajv);
  const google = new Set(["Struct", "Timestamp", "Value"]);
  const idOf = (name: string): string =>
    `${google.has(name) ? "google.protobuf" : "lf.a2a.v1"}.${name}.jsonschema.json`;
  for (const [title, schema] of Object.entries(definitions)) {
    const $id = idOf(title.replaceAll(" ", ""));
    ajv.addSchema({ ...schema, $id }, $id);
  }
  return (pointer) => ajv.getSchema(idOf(pointer.replace("#/definitions/", ""))) as Validate | undefined;
}
