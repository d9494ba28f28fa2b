import type { Metadata } from "@grpc/grpc-js";
import type { Headers } from "../call.js";

/** Metadata as headers: names in lower case, several values joined as HTTP joins them. Bytes are left out. */
export function headersOf(metadata: Metadata): Headers {
  const headers: Headers = {};
  const all = metadata.toHttp2Headers();
  for (const name in all) {
    if (name.endsWith("-bin")) continue;
    const value = all[name];
    headers[name] = Array.isArray(value) ? value.join(name === "cookie" ? "; " : ", ") : String(value);
  }
  return headers;
}
