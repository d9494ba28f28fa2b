import { hopOf } from "../convert/hop-of.js";
import { InputFault } from "../load/fault.js";
import { minorOf } from "../load/lines.js";
import type { LoadedLine } from "../load/loaded-line.js";
import { byName } from "../load/stable-json.js";
import { checkModel } from "./check.js";
import { declareAll } from "./decls.js";
import { documentDecl, documentError, documentMethod } from "./docs.js";
import { errorsOf } from "./errors.js";
import { loadedForm } from "./form.js";
import { rootsOf } from "./roots.js";
import { Scope } from "./scope.js";
import { nameOperationTypes } from "./service-plain.js";
import { methodsOf, serviceFacts } from "./services.js";
import type { Model } from "./types.js";

/**
 * Builds the model of one protocol version from what was loaded; a pure function. Throws {@link InputFault} when the
 * inputs contradict each other or hold something that has no place in the model.
 */
export function buildModel(loaded: LoadedLine): Model {
  const model = modelOf(loaded);
  const inputs = loadedForm(loaded, model);
  if (inputs === undefined) return model;
  const form = modelOf(inputs);
  const { formHop } = loaded;
  if (formHop === undefined) return { ...model, form };
  return { ...model, form, formHop: { source: formHop, rules: hopOf(formHop, form, model) } };
}

function modelOf(loaded: LoadedLine): Model {
  const scope = new Scope(loaded);
  nameOperationTypes(scope);
  declareAll(scope);
  const methods = methodsOf(scope);
  const service = serviceFacts(scope);
  const model: Model = {
    version: minorOf(loaded.schema.release),
    release: loaded.schema.release,
    line: loaded.line,
    source: { file: loaded.file, sha256: loaded.sha256 },
    service,
    decls: [...scope.decls]
      .sort((a, b) => byName(a.name, b.name))
      .map((decl) => documentDecl(decl, loaded.docs)),
    methods: methods.map((method) => documentMethod(method, loaded.docs)),
    errors: errorsOf(scope).map((error) => documentError(error, loaded.docs)),
    roots: rootsOf(scope, methods, service),
  };
  if (!loaded.lenient) scope.facts.refuseStale(sectionOf(loaded.line));
  const problems = checkModel(model);
  if (problems.length > 0) throw new InputFault(problems.join("; "), loaded.file);
  return model;
}

/** Where the facts of a line or of its form stand. */
function sectionOf(line: string): string {
  const [folder = "", form] = line.split("/");
  return `schemas/${folder}/overlay.json#${form === undefined ? "" : "/form"}`;
}
