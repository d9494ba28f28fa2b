import { A2AError } from "../../errors.js";
import { canonicalBinding } from "./binding-name.js";
import type { CardInterface } from "./card-interface.js";
import { violationAt } from "./not-a-card.js";
import { compareVersions, majorMinor } from "./version-name.js";

/** What a client can speak, and what it would rather speak. */
export interface SelectOptions {
  /** Bindings to choose from; the card decides between them. Default: any. */
  readonly bindings?: readonly string[] | undefined;
  /** Protocol versions to choose from, the newest first whatever their order. `0.3` stands for 0.2 too. Default: any. */
  readonly versions?: readonly string[] | undefined;
  /** Bindings that are taken before the others, in this order, whatever the card prefers. */
  readonly prefer?: string | readonly string[] | undefined;
}

/**
 * The interface to call (version mapping 4.2): the binding that the card names first among those that can be used, and
 * of that binding the newest version. Throws `NO_COMPATIBLE_INTERFACE`, which says of each why it was not taken.
 */
export function selectInterface(
  interfaces: readonly CardInterface[],
  options: SelectOptions = {},
): CardInterface {
  const [first] = rankInterfaces(interfaces, options);
  if (first === undefined) throw incompatible(interfaces, options);
  return first;
}

/** All interfaces that could be called, the best first: what `selectInterface` takes, then what it would take next. */
export function rankInterfaces(
  interfaces: readonly CardInterface[],
  options: SelectOptions = {},
): CardInterface[] {
  const usable = interfaces.filter((one) => obstacle(one, options) === undefined);
  const { prefer = [] } = options;
  const wanted = (typeof prefer === "string" ? [prefer] : prefer).map(canonicalBinding);
  const order = [...new Set([...wanted, ...usable.map(({ protocolBinding }) => protocolBinding)])];
  return order.flatMap((binding) =>
    usable
      .filter(({ protocolBinding }) => protocolBinding === binding)
      // Stable: among equals the card's order holds.
      .sort((a, b) => compareVersions(b.protocolVersion, a.protocolVersion)),
  );
}

/** Why an interface cannot be taken. */
function obstacle(
  { usable, problem, protocolBinding, protocolVersion }: CardInterface,
  { bindings, versions }: SelectOptions,
): string | undefined {
  if (!usable) return problem ?? "cannot be called";
  if (bindings && !bindings.some((one) => canonicalBinding(one) === protocolBinding)) {
    return `binding ${protocolBinding} is none of ${bindings.join(", ")}`;
  }
  if (!versions) return undefined;
  const spoken = versions.map(majorMinor);
  // 0.2 and 0.3 are one family; whoever speaks 0.3 can speak to 0.2.
  const fits = spoken.includes(protocolVersion) || (protocolVersion === "0.2" && spoken.includes("0.3"));
  return fits ? undefined : `version ${protocolVersion} is none of ${versions.join(", ")}`;
}

/** The error that says of each interface why it was not taken. */
export function incompatible(interfaces: readonly CardInterface[], options: SelectOptions): A2AError {
  const violations = interfaces.map((one) => violationAt(one.pointer, obstacle(one, options) ?? ""));
  const lines = interfaces.map(
    (one, index) =>
      `${one.protocolBinding} ${one.protocolVersion} at ${one.url || "no URL"}: ${violations[index]?.description ?? ""}`,
  );
  return new A2AError(
    "NO_COMPATIBLE_INTERFACE",
    `The agent has no interface that could be used: ${lines.join("; ") || "it names none"}`,
    { violations },
  );
}
