import { expect, expectTypeOf, it } from "vitest";
import {
  A2A,
  type AgentCard,
  type Part,
  type StreamResponse,
  type Task,
} from "../../generated/v1.0/index.js";
import { createClient, jsonRpc, type ClientWarning } from "../../src/index.js";
import { anyGeneration, decode, encode, tryDecode, type FileContent, type Loss } from "../../src/codec.js";
import { listen, reply } from "../client/support.js";

it("is a mode of clients: parts of 0.x in a task of 1.0 are read where they stand", async () => {
  const result = {
    task: {
      id: "t1",
      kind: "task",
      status: { state: "completed" },
      artifacts: [{ artifactId: "a", parts: [{ kind: "file", file: { bytes: "-_8", name: "a.bin" } }] }],
    },
  };
  await using server = await listen(({ json: { id } }, response) => {
    reply(response, { jsonrpc: "2.0", id, result });
  });
  const losses: Loss[] = [];
  const warnings: ClientWarning[] = [];
  await using client = createClient(A2A, jsonRpc({ url: server.url }), {
    mode: anyGeneration(losses),
    onWarning: (warning) => void warnings.push(warning),
  });
  const message = { messageId: "m", role: "ROLE_USER" as const, parts: [{ text: "hi" }] };
  expect(await client.sendMessage({ message })).toEqual({
    task: {
      id: "t1",
      status: { state: "TASK_STATE_COMPLETED" },
      artifacts: [{ artifactId: "a", parts: [{ raw: "+/8=", filename: "a.bin" }] }],
    },
  });
  expect(warnings.map(({ pointer, code }) => `${pointer ?? ""} ${code}`)).toEqual([
    "/task/kind legacy_member",
    "/task/status/state legacy_value",
  ]);
  expect(losses).toEqual([]);
});

it("the type of what is read goes by the name of the type", () => {
  const part = { text: "x" };
  expectTypeOf(decode("part", part)).toEqualTypeOf<Part>();
  expectTypeOf(() => decode("task", {})).returns.toEqualTypeOf<Task>();
  expectTypeOf(() => decode("event", {})).returns.toEqualTypeOf<StreamResponse>();
  expectTypeOf(() => decode("agentCard", {})).returns.toEqualTypeOf<AgentCard>();
  expectTypeOf(() => decode("fileContent", {})).returns.toEqualTypeOf<FileContent>();
  const read = tryDecode("part", part);
  if (read.ok) expectTypeOf(read.value).toEqualTypeOf<Part>();
  expectTypeOf(encode<"task">)
    .parameter(1)
    .toEqualTypeOf<Task>();
  // @ts-expect-error -- a part is no task
  expect(() => encode("task", part)).toThrow();
  // @ts-expect-error -- there is no such type
  expect(() => decode("tusk", part)).toThrow();
});
