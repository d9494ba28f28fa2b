import { A2AError } from "../errors.js";
import type { ConvertedAs, TypeName, VersionName } from "./converted-as.js";
import { givenPath } from "./given-path.js";
import { planFor } from "./plan.js";
import { readGiven } from "./read-given.js";
import type { ConversionOptions, Loss } from "./types.js";

/** Where a value comes from, where it goes, and how. */
export interface ConvertOptions<To extends string = string> extends ConversionOptions {
  /** A version (`0.3`) or any of its releases (`0.3.0`). */
  readonly from: VersionName | (string & {});
  readonly to: To | VersionName;
  /**
   * Who said it. `request` (default): a caller, so what a version does not know is refused. `reply`: an agent, so unknown
   * names of enums become "unspecified" and lists that should not be empty are passed on.
   */
  readonly direction?: "request" | "reply" | undefined;
  /** `error`: a value that cannot be carried over in full is refused. Default `report`. */
  readonly onLoss?: "report" | "error" | undefined;
}

/** A converted value, and what could not be carried over as it was. */
export interface Converted<T = unknown> {
  readonly value: T;
  readonly losses: readonly Loss[];
}

/**
 * Converts a value from one protocol version to another. `type` is its name in version 1.0 (`Task`, `SendMessageRequest`), or
 * the older name of what has none there (`PushNotificationConfig`). The value given is decoded first, never changed, and
 * shared where both versions agree.
 *
 * Throws `A2AError` with `violations` where the value is not valid, or the other version cannot say it; `CONFIG` for a version
 * or a type that is not known.
 */
export function convert<const Type extends TypeName | (string & {}), const To extends string>(
  type: Type,
  value: unknown,
  options: ConvertOptions<To>,
): Converted<ConvertedAs<Type, To>> {
  const { from, to, direction = "request", onLoss } = options;
  const { table, service, run } = planFor(type, from, to);
  const losses: Loss[] = [];
  const canonical = readGiven({ table, service, direction }, value, losses);
  const read = losses.length;
  const converted = run(canonical, direction === "request", options, losses);
  if (canonical !== value) {
    for (let at = read; at < losses.length; at++) {
      const loss = losses[at];
      if (loss !== undefined) losses[at] = { ...loss, path: givenPath(value, loss.path) };
    }
  }
  if (onLoss === "error" && losses.length > 0) throw tooMuchLost(type, to, losses);
  // The value was decoded by the tables of its version, and the rules lead to the type of the other.
  return { value: converted as ConvertedAs<Type, To>, losses };
}

function tooMuchLost(type: string, to: string, losses: readonly Loss[]): A2AError {
  const violations = losses.map(({ path, code }) => ({
    field: path.slice(1).replaceAll("/", "."),
    pointer: path,
    description: `${code} by A2A ${to}`,
  }));
  const list = losses.map(({ path, code }) => `${path} ${code}`).join(", ");
  return new A2AError("INVALID_PARAMS", `${type} cannot be said in full in A2A ${to}: ${list}`, {
    code: -32602,
    violations,
  });
}
