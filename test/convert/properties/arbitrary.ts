import fc from "fast-check";
import type { Rule } from "../../../src/descriptor.js";
import { canonical, timestamp, type Hints } from "../../codec/arbitrary.js";

const versions = fc.constantFrom("1.0", "0.3", "0.2", "0.3.0", "0.2.6", "1.0.1", "");
const bindings = fc.constantFrom("JSONRPC", "HTTP+JSON", "GRPC");

/** What means something to a conversion, so that it has more to do than to copy; chance alone would never find it. */
const hints: Hints = {
  string: {
    protocolVersion: versions,
    protocolBinding: bindings,
    transport: bindings,
    preferredTransport: bindings,
    url: fc.constantFrom("https://a.example/", "https://b.example/"),
    location: fc.constantFrom("header", "query", "cookie", "Query"),
    mediaType: fc.constantFrom("text/plain", "application/json"),
    // Free text in 0.x: with a zone, without one, or with an offset.
    timestamp: fc.oneof(
      timestamp(),
      timestamp().map((text) => text.slice(0, -1)),
      timestamp().map((text) => text.replace("Z", "+02:30")),
    ),
  },
  struct: {
    // The key under which 0.x keeps data parts that are no objects.
    metadata: fc.record(
      { data_part_compat: fc.oneof(fc.boolean(), fc.jsonValue({ maxDepth: 0 })), note: fc.string() },
      { requiredKeys: ["data_part_compat"], noNullPrototype: true },
    ),
    data: fc.record({ value: fc.jsonValue({ maxDepth: 1 }) }, { noNullPrototype: true }),
  },
};

/**
 * Valid values of a table, of every member and variant that it has: oneofs with one member, all enum values but the
 * zero, strings empty and of any script. They are JSON: what a peer could have sent.
 */
export const valid = (table: Rule): fc.Arbitrary<unknown> => canonical(table, hints);
