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
  const day = Math.floor(seconds / 86_400);
  const second = seconds - day * 86_400;
  const whole = `${dateOf(day)}T${two(Math.floor(second / 3_600))}:${two(Math.floor(second / 60) % 60)}:${two(second % 60)}`;
  if (nanos === 0) return `${whole}Z`;
  if (nanos % 1_000_000 === 0) return `${whole}.${String(nanos / 1_000_000).padStart(3, "0")}Z`;
  if (nanos % 1_000 === 0) return `${whole}.${String(nanos / 1_000).padStart(6, "0")}Z`;
  return `${whole}.${String(nanos).padStart(9, "0")}Z`;
}

/**
 * The date of a day since 1970, counted in years that begin in March, so that the day of a leap year is the last one. Events
 * come by the thousand, and a Date costs more than all the rest of a status.
 */
function dateOf(day: number): string {
  const shifted = day + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1_460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${String(year).padStart(4, "0")}-${two(month)}-${two(dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1)}`;
}

const two = (number: number): string => (number < 10 ? `0${String(number)}` : String(number));
