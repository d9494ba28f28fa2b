import type { Interceptor } from "../call.js";

/** An extension that a program follows. */
export interface ClientExtension {
  readonly uri: string;
  /** URIs of the extensions that it builds on: they are asked for along with it (A2A-EXT-d). */
  readonly requires?: readonly string[] | undefined;
  /** Around every call that asks for it: here data and flow are what its specification says (A2A-EXT-k). */
  readonly interceptor?: Interceptor | undefined;
}

/** A URI as it stands in a list that is separated by commas (A2A-14.2-b). */
export const encoded = (uri: string): string => uri.replaceAll(",", "%2C");

/** Extensions by URI, each with all that it builds on. */
export function closureOf(
  uris: readonly string[],
  known: ReadonlyMap<string, ClientExtension>,
): readonly string[] {
  const found = new Set<string>();
  const add = (uri: string): void => {
    if (found.has(uri)) return;
    found.add(uri);
    known.get(uri)?.requires?.forEach((one) => add(encoded(one)));
  };
  uris.forEach((one) => add(encoded(one)));
  return [...found];
}
