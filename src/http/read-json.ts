import { A2AError } from "../errors.js";
import type { HttpRequest } from "./types.js";

/** Marks a body that is empty where one may be. */
export const EMPTY: unique symbol = Symbol("empty body");

/** The JSON of a request body of at most `limit` bytes; `EMPTY` for none. Throws `PARSE_ERROR` or `PAYLOAD_TOO_LARGE`. */
export async function readJson(request: HttpRequest, limit: number): Promise<unknown> {
  const body = request.body(limit);
  const text = body instanceof Promise ? await body : body;
  if (typeof text !== "string") return text.json === undefined ? EMPTY : text.json;
  if (text === "") return EMPTY;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new A2AError("PARSE_ERROR", "Invalid JSON payload", { code: -32700, cause: error });
  }
}
