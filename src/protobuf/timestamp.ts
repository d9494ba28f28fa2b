import { WireFault, unexpected } from "./wire-fault.js";

const SHAPE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/;
/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z, the bounds of `google.protobuf.Timestamp`. */
const FIRST = -62_135_596_800;
const LAST = 253_402_300_799;

/** An instant as protobuf has it. */
export interface Instant {
  readonly seconds: number;
  readonly nanos: number;
}

/** RFC 3339 → seconds since 1970 and nanoseconds. */
export function instantOf(text: unknown): Instant {
  if (typeof text !== "string") throw unexpected("a timestamp", text);
  const [, local = "", fraction = "", zone = ""] = SHAPE.exec(text) ?? [];
  const seconds = Date.parse(local + zone) / 1000;
  if (!(seconds >= FIRST && seconds <= LAST) || !isMeant(local))
    throw new WireFault("expected an RFC 3339 timestamp, found other text");
  return { seconds, nanos: fraction === "" ? 0 : Number(fraction.padEnd(9, "0")) };
}

/** Whether a month has the day, and a day the hour: Date goes on to the next one where it has not. */
const isMeant = (local: string): boolean =>
  (local.slice(8, 10) <= "28" && local.slice(11, 13) < "24") ||
  new Date(`${local}Z`).toISOString().startsWith(local);

/** The text of an instant: UTC with 0, 3, 6 or 9 digits of a second (`A2A-PJ-i`). */
export function textOfInstant({ seconds, nanos }: Instant): string {
  if (!(seconds >= FIRST && seconds <= LAST && nanos >= 0 && nanos < 1_000_000_000))
    throw new WireFault("expected a timestamp of the years 1 to 9999");
  const whole = new Date(seconds * 1000).toISOString().slice(0, 19);
  if (nanos === 0) return `${whole}Z`;
  const digits = String(nanos).padStart(9, "0");
  return `${whole}.${digits.replace(/(?:000){1,2}$/, "")}Z`;
}
