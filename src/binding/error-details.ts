/** `@type` of the detail that names an A2A error. */
export const ERROR_INFO = "type.googleapis.com/google.rpc.ErrorInfo";
/** `@type` of the detail that lists refused fields. */
export const BAD_REQUEST = "type.googleapis.com/google.rpc.BadRequest";
/** `@type` of a value that has none of its own. */
export const VALUE = "type.googleapis.com/google.protobuf.Value";
/** `ErrorInfo.domain` of every A2A error. */
export const ERROR_DOMAIN = "a2a-protocol.org";

/** One entry of JSON-RPC `data` or HTTP+JSON `details`: an object that names its type (A2A-9.5-d, A2A-11.6-b). */
export interface ErrorDetail {
  readonly "@type": string;
  readonly [member: string]: unknown;
}

/** True for an object with a string `@type`. */
export const isDetail = (value: unknown): value is ErrorDetail =>
  typeof value === "object" && value !== null && "@type" in value && typeof value["@type"] === "string";

/** True for a detail that is a bare value, wrapped as an `Any` of a well-known type is written in ProtoJSON. */
export const isWrapped = (detail: ErrorDetail): boolean =>
  detail["@type"] === VALUE || detail["@type"] === "type.googleapis.com/google.protobuf.Struct";
