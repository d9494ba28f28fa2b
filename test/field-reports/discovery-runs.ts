import { expect } from "vitest";
import { fetchAgentCard } from "a2a-typed/client";
import { expectedOf, inputOf, type Run } from "./cases.js";
import { startPeer, type PeerReply } from "./peer.js";

const card = {
  name: "A",
  description: "d",
  version: "1",
  capabilities: {},
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: "s", name: "s", description: "d", tags: ["t"] }],
  supportedInterfaces: [{ url: "https://a.example.com", protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
};
const found: PeerReply = { headers: { "content-type": "application/json" }, body: JSON.stringify(card) };

/** A peer that answers as the case says, and 404 elsewhere. */
const discoveryPeer = (responses: Record<string, number>) =>
  startPeer((url) => (responses[url] === 200 ? found : { status: responses[url] ?? 404 }));

/** Path and query of a URL of a case, whose host is made up. */
const local = (url: string): string => new URL(url).pathname + new URL(url).search;

/** Cases of finding the card. */
export const discoveryRuns: Record<string, Run> = {
  B139b: async (fieldCase) => {
    const { responses } = inputOf<{ responses: Record<string, number> }>(fieldCase);
    await using peer = await discoveryPeer(responses);
    await expect(fetchAgentCard(peer.url)).rejects.toMatchObject({ reason: "UNAUTHENTICATED", status: 401 });
    expect(peer.requests.map(({ url }) => url)).toEqual(["/.well-known/agent-card.json"]);
  },
  B140b: async (fieldCase) => {
    const { base, responses } = inputOf<{ base: string; responses: Record<string, number> }>(fieldCase);
    await using peer = await discoveryPeer(responses);
    expect(await fetchAgentCard(peer.url + local(base))).toEqual(card);
    const { cardUrl } = expectedOf<{ cardUrl: string }>(fieldCase);
    expect(peer.requests.at(-1)?.url).toBe(local(cardUrl));
  },
  B141b: async (fieldCase) => {
    const { cardUrl } = inputOf<{ cardUrl: string }>(fieldCase);
    await using peer = await discoveryPeer({ [local(cardUrl)]: 200 });
    expect(await fetchAgentCard(peer.url + local(cardUrl))).toEqual(card);
    const wanted = expectedOf<{ cardUrl: string }>(fieldCase).cardUrl;
    expect(peer.requests.map(({ url }) => url)).toEqual([local(wanted)]);
  },
};
