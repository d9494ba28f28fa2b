import { connect } from "a2a-typed/client";
import { grpc } from "a2a-typed/grpc";
import type { ClientArgs } from "../../matrix/contract.js";
import { cardSeen } from "./card-seen.js";
import { clientOf } from "./client-of-1.0.js";
import type { Connect } from "./peer-client.js";

/** Our client that finds out what an agent speaks, held to one binding and one version of what the card offers. */
export function connectTo({ url, binding, version }: ClientArgs): Connect {
  return async (wrongVersion) => {
    const agent = await connect(url, { bindings: [binding], versions: [version], grpc, timeoutMs: 10_000 });
    return { ...clientOf(agent, wrongVersion), card: async () => cardSeen(agent.card) };
  };
}
