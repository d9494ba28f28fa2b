import { expect } from "vitest";
import { connect, type Agent, type ClientWarning, type ConnectOptions } from "a2a-typed/client";
import { textOf, userMessage } from "a2a-typed/v1";
import { expectedOf, inputOf, type Run } from "./cases.js";
import { startPeer, type Peer, type PeerReply } from "./peer.js";

interface Met extends AsyncDisposable {
  readonly peer: Peer;
  readonly agent: Agent;
  readonly warnings: readonly ClientWarning[];
}

/** An agent whose card names these interfaces of a peer. */
async function meet(
  reply: PeerReply,
  interfaces: readonly object[],
  options: ConnectOptions = {},
): Promise<Met> {
  const peer = await startPeer(reply);
  const warnings: ClientWarning[] = [];
  const supportedInterfaces = interfaces.map((one) => ({ ...one, url: peer.url }));
  const agent = await connect(
    { name: "A", capabilities: {}, supportedInterfaces },
    { ...options, onWarning: (warning) => warnings.push(warning) },
  );
  return {
    peer,
    agent,
    warnings,
    async [Symbol.asyncDispose]() {
      await agent.close();
      await peer[Symbol.asyncDispose]();
    },
  };
}

const rpc = (protocolVersion: string): object => ({ protocolBinding: "JSONRPC", protocolVersion });
const json = { "content-type": "application/json" };
const message = userMessage("hi");

/** Cases of the client that speaks to any agent. */
export const agentRuns: Record<string, Run> = {
  B071: async (fieldCase) => {
    const { body, contentType } = inputOf<{ body: string; contentType: string }>(fieldCase);
    const { retryAs } = expectedOf<{ retryAs: { method: string; version: string } }>(fieldCase);
    const reply = { headers: { "content-type": contentType }, body };
    await using met = await meet(reply, [rpc("1.0"), rpc(retryAs.version)], { fallback: true });
    await met.agent.sendMessage({ message }).catch(() => undefined);
    const sent = met.peer.requests.map(({ body: text, headers }) => ({
      method: (JSON.parse(text) as { method: string }).method,
      version: headers["a2a-version"],
    }));
    expect(sent).toEqual([
      { method: inputOf<{ method: string }>(fieldCase).method, version: "1.0" },
      retryAs,
    ]);
  },
  B076: async (fieldCase) => {
    const { calledMethod, ...envelope } = inputOf<{ calledMethod: string }>(fieldCase);
    const { warning, ...wanted } = expectedOf<{ warning: string }>(fieldCase);
    expect([calledMethod, warning]).toEqual(["SendMessage", "0.3 payload on a 1.0 interface"]);
    await using met = await meet({ headers: json, body: JSON.stringify(envelope) }, [rpc("1.0")]);
    expect(await met.agent.sendMessage({ message })).toEqual(wanted);
    expect(met.warnings.map(({ code }) => code)).toEqual(["legacy-payload"]);
  },
  B082: async (fieldCase) => {
    const input = inputOf<{ interface: object; call: { params: { id: string } } }>(fieldCase);
    const task = { id: "t1", contextId: "c1", status: { state: "TASK_STATE_WORKING" } };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, result: task });
    await using met = await meet({ headers: json, body }, [input.interface]);
    await met.agent.getTask(input.call.params);
    const sent = JSON.parse(met.peer.requests[0]?.body ?? "") as { params: unknown };
    expect(sent.params).toEqual(expectedOf<{ params: unknown }>(fieldCase).params);
  },
  B109a: async (fieldCase) => {
    const { events } = inputOf<{ events: object[] }>(fieldCase);
    const wanted = expectedOf<{ text: string; warning: string }>(fieldCase);
    const frames = events.map((result) => `data: ${JSON.stringify({ jsonrpc: "2.0", id: 1, result })}\n\n`);
    const headers = { "content-type": "text/event-stream" };
    await using met = await meet({ headers, body: frames }, [rpc("0.3")]);
    let text = "";
    for await (const event of met.agent.sendStreamingMessage({ message })) text += textOf(event);
    expect(text).toBe(wanted.text);
    expect(met.warnings.map(({ code }) => code.replaceAll("-", " "))).toEqual([wanted.warning]);
  },
};
