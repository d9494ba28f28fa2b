import { fromQuery } from "../codec/query.js";
import { hasMember, spellingsOf } from "../codec/spellings.js";
import { A2AError } from "../errors.js";
import { NO_PARAMS, type RestMatch } from "./rest-routes.js";

/** The raw input of a call without a body: query, then path (A2A-HT-a). */
export function inputFromQuery(match: RestMatch, query: string): unknown {
  const given = query === "" ? {} : fromQuery(match.method.input, new URLSearchParams(query));
  return withParams(match, given, "query");
}

/** The raw input of a call with a body; an empty body stands for `{}` (A2A-11.3-e), and so does the `null` of Go clients. */
export function inputFromBody(match: RestMatch, given: unknown, query: string): unknown {
  const json = given ?? {};
  if (typeof json !== "object" || Array.isArray(json)) {
    throw new A2AError("INVALID_REQUEST", "The request body must be a JSON object", { code: -32600 });
  }
  const { body = "*" } = match.route;
  if (body === "*" || isWhole(match, body, json)) {
    return match.params === NO_PARAMS ? json : withParams(match, { ...json }, "body");
  }
  const others = query === "" ? {} : fromQuery(match.method.input, new URLSearchParams(query));
  return withParams(match, { ...others, [body]: json }, "body");
}

/** Whether a body that is to be one field is the whole input: it has that field, and the field has no member of its name. */
const isWhole = ({ method: { input } }: RestMatch, body: string, json: object): boolean => {
  const inner = input.is === "object" ? input.fields[body] : undefined;
  return spellingsOf(input, body).some(
    (name) => Object.hasOwn(json, name) && (inner === undefined || !hasMember(inner, name)),
  );
};

/** Path variables win over nothing: a field that is also given elsewhere must be the same (A2A-11.3-f). */
const withParams = (
  { params, method }: RestMatch,
  input: Record<string, unknown>,
  where: "query" | "body",
): Record<string, unknown> => {
  for (const field in params) {
    const value = params[field] ?? "";
    for (const name of spellingsOf(method.input, field)) {
      if (!Object.hasOwn(input, name)) continue;
      const other = input[name];
      // null and "" stand for an absent string in ProtoJSON.
      if (other !== value && other !== null && other !== "") throw conflict(field, where);
      Reflect.deleteProperty(input, name);
    }
    input[field] = value;
  }
  return input;
};

const conflict = (field: string, where: string): A2AError => {
  const description = `path and ${where} name different values; leave it out of the ${where}`;
  return new A2AError("INVALID_PARAMS", `${field}: ${description}`, {
    code: -32602,
    violations: [{ field, pointer: `/${field}`, description }],
  });
};
