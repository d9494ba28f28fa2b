import { A2AError } from "../errors.js";

/** Marks a body that is empty where one may be. */
export const EMPTY: unique symbol = Symbol("empty body");

/** The JSON of a body as an adapter handed it over; `EMPTY` for none. Throws `PARSE_ERROR`. */
export function parseBody(body: string | { readonly json: unknown }): unknown {
  if (typeof body !== "string") return body.json === undefined ? EMPTY : body.json;
  if (body === "") return EMPTY;
  try {
    return JSON.parse(body) as unknown;
  } catch (error) {
    throw new A2AError("PARSE_ERROR", "Invalid JSON payload", { code: -32700, cause: error });
  }
}
