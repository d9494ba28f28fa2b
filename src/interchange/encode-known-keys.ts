/**
 * The members of an object that a mapping names, under the names it gives them: for own objects in another case, say
 * `encodeKnownKeys({ protocol_binding: "GRPC" }, { protocol_binding: "protocolBinding" })`. Members without a value,
 * empty lists and empty objects are left out.
 */
export function encodeKnownKeys(
  source: Readonly<Record<string, unknown>>,
  mapping: Readonly<Record<string, string>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(mapping).flatMap(([from, to]) => {
      const value = Object.hasOwn(source, from) ? source[from] : undefined;
      const isEmpty =
        value === undefined ||
        value === null ||
        (typeof value === "object" && !(value instanceof Date) && Object.keys(value).length === 0);
      return isEmpty ? [] : [[to, value]];
    }),
  );
}
