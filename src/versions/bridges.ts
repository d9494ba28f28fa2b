import { routeBetween } from "../convert/route.js";
import type { Bridge } from "../convert/types.js";
import type { Hop, ServiceDescriptor } from "../descriptor.js";
import { A2AError } from "../errors.js";
import { hops, lines } from "./lines.js";
import { pivot } from "./pivot.js";

/** A line as it is loaded. */
interface Line {
  readonly service: () => Promise<{ readonly A2A: ServiceDescriptor }>;
}

const sources: Readonly<Record<string, Line>> = lines;
const bridges = new Map<string, Promise<Bridge>>();

/** The other versions that can be spoken to or served, newest first: `0.3`, `0.2`. */
export const bridgedVersions: readonly string[] = Object.keys(sources).filter(
  (version) => version !== pivot.version,
);

/**
 * The bridge from the pivot to another version (`0.3`) or to the ProtoJSON form of one (`0.3/proto`); only what it needs is
 * loaded. Throws `CONFIG` for anything else.
 */
export function loadBridge(far: string): Promise<Bridge> {
  const known = bridges.get(far);
  if (known !== undefined) return known;
  const loading = load(far);
  bridges.set(far, loading);
  // A failed import may succeed the next time.
  loading.catch(() => bridges.delete(far));
  return loading;
}

async function load(far: string): Promise<Bridge> {
  const [version = "", form, ...more] = far.split("/");
  const line = Object.hasOwn(sources, version) ? sources[version] : undefined;
  const legs = routeBetween(hops, pivot.version, version);
  if (line === undefined || legs === undefined || more.length > 0 || (form !== undefined && form !== "proto"))
    throw unknown(far);
  // The interpreter of rules too: who speaks the newest version alone needs none of it.
  const [{ createBridge }, { A2A: service }, ...loaded] = await Promise.all([
    import("../convert/bridge.js"),
    line.service(),
    ...legs.map(async ({ hop }) => (await hop.load()).hop),
  ]);
  if (form === undefined) return createBridge(loaded, { near: pivot, far: service });
  const other = await service.form?.();
  if (other === undefined) throw unknown(far);
  const all: readonly Hop[] = [...loaded, other.hop];
  return createBridge(all, { near: pivot, far: other.service }, { far: other.hop.older });
}

const unknown = (far: string): A2AError =>
  new A2AError("CONFIG", `There is no way to A2A ${far}; there is one to ${bridgedVersions.join(", ")}`);
