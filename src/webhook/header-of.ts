import type { HeaderRecord, IncomingNotification } from "./types.js";

/** Gives headers by name in lower case; undefined for one that is not there. */
export type HeaderReader = (name: string) => string | undefined;

/** Reads the headers of a notification; of one that was sent several times, the first. */
export function headerReader({ headers }: IncomingNotification): HeaderReader {
  if (isHeaders(headers)) return (name) => headers.get(name) ?? undefined;
  const known = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => {
    const value = known.get(name);
    return typeof value === "object" ? value[0] : value;
  };
}

const isHeaders = (headers: Headers | HeaderRecord): headers is Headers =>
  typeof headers["get"] === "function";
