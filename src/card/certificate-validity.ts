/** When a certificate is valid, in milliseconds since the epoch. */
export interface Validity {
  readonly from: number;
  readonly until: number;
}

const SEQUENCE = 0x30;
const VERSION = 0xa0;
const UTC_TIME = 0x17;
const GENERALIZED_TIME = 0x18;

/**
 * The validity of a certificate (RFC 5280 4.1.2.5) from its base64 DER, as `x5c` of a JWK has it; undefined where it
 * cannot be read. Nothing else of the certificate is looked at.
 */
export function certificateValidity(base64: string): Validity | undefined {
  try {
    const bytes = Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0));
    const certificate = enter(bytes, 0);
    let at = enter(bytes, certificate);
    if (bytes[at] === VERSION) at = after(bytes, at);
    // Serial number, algorithm and issuer come before.
    for (let i = 0; i < 3; i++) at = after(bytes, at);
    const start = enter(bytes, at);
    const from = time(bytes, start);
    const until = time(bytes, after(bytes, start));
    return Number.isNaN(from) || Number.isNaN(until) ? undefined : { from, until };
  } catch {
    return undefined;
  }
}

/** Where the content of the element at `at` starts and ends (DER, definite lengths only). */
function span(bytes: Uint8Array, at: number): { readonly start: number; readonly end: number } {
  const first = bytes[at + 1];
  if (first === undefined) throw new RangeError("truncated");
  const more = first < 0x80 ? 0 : first & 0x7f;
  let length = first < 0x80 ? first : 0;
  for (let i = 0; i < more; i++) length = length * 256 + (bytes[at + 2 + i] ?? Number.NaN);
  const start = at + 2 + more;
  if (!(start + length <= bytes.length)) throw new RangeError("truncated");
  return { start, end: start + length };
}

const enter = (bytes: Uint8Array, at: number): number => {
  if (bytes[at] !== SEQUENCE) throw new RangeError("no sequence");
  return span(bytes, at).start;
};

const after = (bytes: Uint8Array, at: number): number => span(bytes, at).end;

function time(bytes: Uint8Array, at: number): number {
  const { start, end } = span(bytes, at);
  const text = String.fromCharCode(...bytes.subarray(start, end));
  const century = bytes[at] === UTC_TIME ? (Number(text.slice(0, 2)) < 50 ? "20" : "19") : "";
  if (century === "" && bytes[at] !== GENERALIZED_TIME) return Number.NaN;
  return Date.parse(
    (century + text).replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"),
  );
}
