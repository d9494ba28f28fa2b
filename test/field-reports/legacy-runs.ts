import { expect } from "vitest";
import * as v02 from "../../generated/v0.2/tables.js";
import { A2A as A2A03 } from "../../generated/v0.3/service.js";
import * as v03 from "../../generated/v0.3/tables.js";
import type { Message, Task } from "../../generated/v0.3/types.js";
import { A2A as A2A10 } from "../../generated/v1.0/service.js";
import { createHttpHandler } from "../../src/http/handler.js";
import { createClient, jsonRpc, type A2AError } from "a2a-typed";
import { createFetchHandler } from "a2a-typed/fetch";
import { createRouter } from "../../src/server/router.js";
import { decode } from "../../src/codec/decode.js";
import { expectedOf, inputOf, type Run } from "./cases.js";
import { readLeniently, refusalOf, refused } from "./codec-runs.js";
import { startPeer, type PeerReply } from "./peer.js";

/** The state that 1.0 names so, in the spelling of 0.3. */
const legacyState = (state: string): string =>
  state.replace("TASK_STATE_", "").toLowerCase().replace("_", "-");

const message: Message = {
  kind: "message",
  messageId: "m1",
  role: "user",
  parts: [{ kind: "text", text: "hi" }],
};

/** The error of the first event of a 0.3 stream against a peer. */
async function streamFailure(reply: PeerReply): Promise<Partial<A2AError>> {
  await using peer = await startPeer(reply);
  await using client = createClient(A2A03, jsonRpc({ url: peer.url }));
  return await client
    .sendStreamingMessage({ message })
    .next()
    .then(
      () => expect.fail("it succeeded"),
      (error: unknown) => error as A2AError,
    );
}

/** Cases of one 0.x version. Where a case names 1.0 shapes, the half that needs no conversion is proved here. */
export const legacyRuns: Record<string, Run> = {
  B018a: refused(v03.MessageSendParams, "message.kind"),
  B020: readLeniently(
    v03.Task,
    ({ expected }) => ({ kind: "task", ...(expected as object), status: { state: "submitted" } }),
    ["null_field"],
  ),
  B023b: refused(v03.Part, "file"),
  B025a: readLeniently(
    v03.TaskStatus,
    (fieldCase) => ({ state: legacyState(expectedOf<{ state: string }>(fieldCase).state) }),
    ["legacy_value"],
  ),
  B025b: readLeniently(
    v03.TaskStatus,
    (fieldCase) => ({ state: legacyState(expectedOf<{ state: string }>(fieldCase).state) }),
    ["legacy_value"],
  ),
  B027a: ({ input, expected }) => {
    const part = decode<unknown>(v03.Part, input, { direction: "request" });
    expect(part).toEqual({ kind: "data", ...(expected as object) });
  },
  B051: async (fieldCase) => {
    const { contentType, body } = inputOf<{ contentType: string; body: string }>(fieldCase);
    const error = await streamFailure({ headers: { "content-type": contentType }, body });
    expect(error.reason).toBe("DECODE");
  },
  B060: async (fieldCase) => {
    const { sse } = inputOf<{ sse: string }>(fieldCase);
    const error = await streamFailure({ headers: { "content-type": "text/event-stream" }, body: sse });
    expect(error).toMatchObject({ code: -32603, message: "proxy not ready" });
  },
  B064a: async (fieldCase) => {
    const router = createRouter(A2A03, {});
    const response = await router.fetch(
      new Request("http://127.0.0.1/", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(fieldCase.input),
      }),
    );
    expect(await response.json()).toMatchObject({ error: fieldCase.expected });
  },
  B068b: async (fieldCase) => {
    const headers = { "content-type": "application/json" };
    await using peer = await startPeer({ headers, body: JSON.stringify(fieldCase.input) });
    await using client = createClient(A2A03, jsonRpc({ url: peer.url }));
    await expect(client.getTask({ id: "t9" })).rejects.toMatchObject({
      reason: "TASK_NOT_FOUND",
      data: "failed to load task",
    });
  },
  B070c: async (fieldCase) => {
    const task: Task = { kind: "task", id: "t1", contextId: "c1", status: { state: "working" } };
    const routers = [
      createRouter(A2A10, { getTask: () => ({ id: "t1", status: { state: "TASK_STATE_WORKING" } }) }),
      createRouter(A2A03, { getTask: () => task }),
    ];
    const serve = createFetchHandler(createHttpHandler({ routers }));
    const response = await serve(
      new Request("http://127.0.0.1/", {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "a2a-version": inputOf<{ header: string }>(fieldCase).header,
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tasks/get", params: { id: "t1" } }),
      }),
    );
    expect(await response.json()).toEqual({ jsonrpc: "2.0", id: 1, result: task });
  },
  B146: ({ input }) => {
    const error = refusalOf(v02.AgentCard, input, { direction: "reply" });
    expect(error.violations?.map(({ field }) => field)).toContain("url");
  },
};
