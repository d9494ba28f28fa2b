import { A2AError } from "../errors.js";
import type { RpcMethod, RpcTarget, ServedVersion } from "./served-version.js";
import type { VersionChoice, Versions } from "./version.js";

/**
 * The router and method that a JSON-RPC name means where the chosen version has none of that name. `infer`: a call
 * without version is served by whatever version has the method (decision 11). Throws `METHOD_NOT_FOUND`, or
 * `VERSION_NOT_SUPPORTED` where only the missing version stands in the way.
 */
export async function findMethod(
  versions: Versions<ServedVersion>,
  choice: VersionChoice<ServedVersion>,
  raw: string | undefined,
  name: string,
  infer: boolean,
): Promise<RpcMethod> {
  if (!choice.explicit) {
    const other = await elsewhere(versions, name);
    if (other && infer) return other;
    if (other || !choice.version) throw versions.refusal(raw);
  }
  const { version } = choice.version ?? versions.newest;
  throw new A2AError(
    "METHOD_NOT_FOUND",
    `Method not found: protocol version ${version} has no method ${JSON.stringify(name.slice(0, 64))}`,
    { code: -32601 },
  );
}

const elsewhere = async (versions: Versions<ServedVersion>, name: string): Promise<RpcMethod | undefined> => {
  for (const version of versions.all) {
    const { methods }: RpcTarget = await version.rpc();
    const found = methods.get(name);
    if (found) return found;
  }
  return undefined;
};
