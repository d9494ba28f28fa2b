import { createClient } from "a2a-typed";
import { fetchAgentCard } from "a2a-typed/client";
import { A2A } from "a2a-typed/v1";
import type { ClientArgs } from "../../matrix/contract.js";
import { cardSeen } from "./card-seen.js";
import { clientOf } from "./client-of-1.0.js";
import type { Connect } from "./peer-client.js";
import { transportTo } from "./transport-to.js";

/** Our client, pinned to 1.0. */
export function connectTo(args: ClientArgs): Connect {
  return async (wrongVersion) => {
    const client = createClient(A2A, transportTo(args), { timeoutMs: 10_000 });
    return { ...clientOf(client, wrongVersion), card: async () => cardSeen(await fetchAgentCard(args.url)) };
  };
}
