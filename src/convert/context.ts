import { ABSENT, type Reader, violation } from "../codec/reader.js";
import { A2AError } from "../errors.js";
import type { ConversionOptions, Loss, LossCode } from "./types.js";

export { ABSENT } from "../codec/reader.js";

/** From the older form to the newer one, or back. */
export type Direction = "up" | "down";

/** The releases of the two forms, where they are known: an old one may know less than its line. */
export interface Releases {
  readonly older?: string | undefined;
  readonly newer?: string | undefined;
}

/** What one conversion carries along. `path` is where it stands in the value given: a stack. */
export interface Ctx {
  readonly path: (string | number)[];
  readonly losses: Loss[] | undefined;
  readonly options: ConversionOptions;
  /** What a caller sent: what the other form does not allow is refused. What an agent said is passed on as it is. */
  readonly request: boolean;
  readonly releases: Releases;
}

/** Converts one value; `ABSENT` where it has no place in the other form. */
export type Run = (value: unknown, ctx: Ctx) => unknown;

/** Notes a loss where the conversion stands, or below. */
export function report(ctx: Ctx, code: LossCode, ...below: readonly (string | number)[]): void {
  ctx.losses?.push({ path: pointerOf([...ctx.path, ...below]), code });
}

/** Runs what may turn out to have no place: then what it noted is void, and one entry says that it is dropped. */
export function runOrDrop(run: Run, value: unknown, ctx: Ctx): unknown {
  const { losses } = ctx;
  if (losses === undefined) return run(value, ctx);
  const before = losses.length;
  const result = run(value, ctx);
  if (result === ABSENT) {
    losses.length = before;
    report(ctx, "dropped");
  }
  return result;
}

/** Refuses the value where the conversion stands. */
export function refuse(ctx: Ctx, description: string): never {
  const one = violation(readerAt(ctx.path), description);
  const message = one.field === "" ? description : `${one.field}: ${description}`;
  throw ctx.request
    ? new A2AError("INVALID_PARAMS", message, { code: -32602, violations: [one] })
    : new A2AError("INVALID_AGENT_RESPONSE", message, { code: -32006, violations: [one] });
}

/** A JSON pointer. */
export const pointerOf = (path: readonly (string | number)[]): string =>
  path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/** The steps of a JSON pointer. */
export const stepsOf = (pointer: string): string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));

/** Field and pointer of a path, as decoding words them. */
export const readerAt = (path: (string | number)[]): Reader => ({
  request: true,
  mode: undefined,
  problems: undefined,
  root: "",
  path,
});

/** Whether a release comes before another: `0.2.4` before `0.2.5`. */
export function isBefore(release: string, other: string): boolean {
  const [one, two] = [release, other].map((text) => text.split(".").map(Number));
  const at = one?.findIndex((part, index) => part !== two?.[index]) ?? -1;
  return at >= 0 && (one?.[at] ?? 0) < (two?.[at] ?? 0);
}
