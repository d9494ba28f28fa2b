import { BAD_REQUEST, ERROR_INFO, VALUE, isDetail, type ErrorDetail } from "../binding/error-details.js";
import { isObject } from "../codec/json.js";
import type { WireMessage } from "../descriptor.js";
import { decodeMessage } from "../protobuf/decode-message.js";
import { encodeMessage } from "../protobuf/encode-message.js";
import { BadRequest, ErrorInfo, Struct, Value } from "./rpc-messages.js";

/** A `google.protobuf.Any` in the JSON of its own fields. */
export interface PackedDetail {
  readonly typeUrl: string;
  /** Base64. */
  readonly value: string;
}

const STRUCT = "type.googleapis.com/google.protobuf.Struct";

/** Details whose members are those of their message. */
const plain: Readonly<Record<string, WireMessage>> = { [ERROR_INFO]: ErrorInfo, [BAD_REQUEST]: BadRequest };

/** A detail as the bytes of its type. One of a type that is not known here goes as an object that says its type. */
export function packDetail(detail: ErrorDetail): PackedDetail {
  const { "@type": typeUrl, ...members } = detail;
  const message = Object.hasOwn(plain, typeUrl) ? plain[typeUrl] : undefined;
  if (message !== undefined) return packed(typeUrl, message, members);
  const { value } = members;
  if (typeUrl === VALUE) return packed(VALUE, Value, kindOf(value));
  const fields = typeUrl === STRUCT && isObject(value) ? value : detail;
  return packed(STRUCT, Struct, { fields });
}

/** The detail in some bytes; undefined for a type that is not known here, and for bytes that are no such message. */
export function unpackDetail({ typeUrl, value }: PackedDetail): ErrorDetail | undefined {
  const bytes = Buffer.from(value, "base64");
  const read = (message: WireMessage): Record<string, unknown> => {
    const decoded = decodeMessage(message, bytes);
    return isObject(decoded) ? decoded : {};
  };
  try {
    const message = Object.hasOwn(plain, typeUrl) ? plain[typeUrl] : undefined;
    if (message !== undefined) return { "@type": typeUrl, ...read(message) };
    if (typeUrl === VALUE) {
      const { nullValue: _, ...kinds } = read(Value);
      return { "@type": VALUE, value: Object.values(kinds)[0] ?? null };
    }
    if (typeUrl !== STRUCT) return undefined;
    const { fields = {} } = read(Struct);
    return isDetail(fields) ? fields : { "@type": STRUCT, value: fields };
  } catch {
    return undefined;
  }
}

const packed = (typeUrl: string, message: WireMessage, value: unknown): PackedDetail => ({
  typeUrl,
  value: Buffer.from(encodeMessage(message, value)).toString("base64"),
});

function kindOf(value: unknown): Record<string, unknown> {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "number") return { numberValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (Array.isArray(value)) return { listValue: value };
  return isObject(value) ? { structValue: value } : { nullValue: "NULL_VALUE" };
}
