import { decode } from "../codec/decode.js";
import type { ConversionOptions, Loss } from "../convert/types.js";
import type { MethodDescriptor, ServiceDescriptor } from "../descriptor.js";
import { A2AError } from "../errors.js";
import { pivot, type SendMessageRequest } from "../versions/pivot.js";
import type { VersionName } from "./codec-types.js";
import { endpointFrom } from "./endpoint-from.js";
import { bridgeOf } from "./bridge-of.js";
import { lineOf } from "./older.js";

/** An operation of the newest version: `sendMessage`, `getTask`. */
export type Operation = keyof (typeof pivot)["methods"];

/** How parameters are written. */
export interface EncodeParamsOptions extends ConversionOptions {
  /** Gets one entry for each member that the version cannot say as it was. */
  readonly losses?: Loss[] | undefined;
}

/** What one protocol version looks like on the wire of JSON-RPC. The version selects all of it, never only the header. */
export interface Wire {
  /** `Major.Minor`. */
  readonly version: string;
  /** A version of 0.x, whose shapes are not those of 1.x. */
  readonly legacy: boolean;
  /** The header that names the version. */
  readonly header: { readonly name: string; readonly value: string };
  /** Headers that name extensions to a server of this version, each with the same list. */
  readonly extensionHeaders: readonly string[];
  /** Path of the agent card below the origin. */
  readonly cardPath: string;
  /** JSON-RPC method by operation; operations that the version lacks are not in it. */
  readonly methods: Readonly<Partial<Record<Operation, string>>>;
  /** JSON-RPC method of an operation, by default of sending a message. Throws `UNSUPPORTED_OPERATION` where the version has none. */
  methodName(operation?: Operation): string;
  /** The request headers of a call: content type, version, and extensions where there are any. */
  headers(options?: { readonly extensions?: readonly string[] }): Record<string, string>;
  /** Parameters of the newest shape as this version has them; those of its own are returned as they are. */
  encodeParams(params: SendMessageRequest, options?: EncodeParamsOptions): unknown;
  encodeParams(operation: Operation, params: unknown, options?: EncodeParamsOptions): unknown;
  /** Where an agent with this card takes JSON-RPC, an interface of this version before any other. */
  endpointFrom(card: unknown): string | undefined;
}

/** The wire of `1.0`, `0.3`, `0.2` or a release of these. Throws `CONFIG`, with the list, for any other version. */
export function wireFor(version: VersionName): Wire {
  const line = lineOf(version);
  const bridge = bridgeOf(line);
  const service: ServiceDescriptor = bridge?.far ?? pivot;
  const methods = methodsOf((operation, method) =>
    bridge ? bridge.byNearName.get(operation)?.far.jsonrpc : method.jsonrpc,
  );
  const header = { name: display(service.headers.version), value: line };
  const extensionHeaders = [...new Set([service.headers.extensions, pivot.headers.extensions])].map(display);

  const methodName = (operation: Operation = "sendMessage"): string => {
    if (!Object.hasOwn(pivot.methods, operation)) {
      throw new A2AError(
        "CONFIG",
        `${JSON.stringify(operation)} is no operation; they are ${Object.keys(pivot.methods).join(", ")}`,
      );
    }
    const name = methods[operation];
    if (name !== undefined) return name;
    throw new A2AError("UNSUPPORTED_OPERATION", `A2A ${line} has no ${pivot.methods[operation].name}`, {
      code: -32004,
    });
  };

  const encode = (operation: Operation, params: unknown, options: EncodeParamsOptions = {}): unknown => {
    methodName(operation);
    const method = bridge?.byNearName.get(operation);
    if (method === undefined) return params;
    const { losses, ...how } = options;
    const input: unknown = decode<unknown>(method.near.input, params, { direction: "request" });
    return method.input.down(input, how, losses);
  };

  return {
    version: line,
    legacy: service.errorData === "any",
    header,
    extensionHeaders,
    cardPath: service.card.path,
    methods,
    methodName,
    headers: ({ extensions = [] } = {}) => ({
      "Content-Type": "application/json",
      [header.name]: header.value,
      ...(extensions.length > 0 &&
        Object.fromEntries(extensionHeaders.map((name) => [name, extensions.join(", ")]))),
    }),
    encodeParams: (first: Operation | SendMessageRequest, ...rest: readonly unknown[]): unknown =>
      typeof first === "string"
        ? encode(first, rest[0], rest[1] as EncodeParamsOptions)
        : encode("sendMessage", first, rest[0] as EncodeParamsOptions),
    endpointFrom: (card) => endpointFrom(card, line),
  };
}

function methodsOf(
  nameOf: (operation: string, method: MethodDescriptor) => string | undefined,
): Partial<Record<Operation, string>> {
  const all: Readonly<Record<string, MethodDescriptor>> = pivot.methods;
  return Object.fromEntries(
    Object.entries(all).flatMap(([operation, method]) => {
      const name = nameOf(operation, method);
      return name === undefined ? [] : [[operation, name]];
    }),
  );
}

/** `a2a-version` → `A2A-Version`. */
const display = (header: string): string =>
  header
    .split("-")
    .map((word) => (word === "a2a" ? "A2A" : word.charAt(0).toUpperCase() + word.slice(1)))
    .join("-");
