/** Errors of 0.3, about whose details nothing is agreed: what agents of other SDKs tell, and how ours can be read by theirs. */
import * as grpcJs from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { A2A } from "../../generated/v0.3/index.js";
import { grpc } from "../../src/grpc.js";
import { createClient } from "../../src/index.js";
import type { RunningServer } from "../../src/server.js";
import { start } from "../bindings/peer.js";
import { failure } from "../client/support.js";
import { peer, type Peer } from "./peer.js";

describe("a client", () => {
  /** What the agent ends its calls with, and whether it has sent headers by then. */
  let end: { code: number; details: string; afterHeaders: boolean };
  const agent = new grpcJs.Server();
  let client: ReturnType<typeof createClient<typeof A2A>>;

  beforeAll(async () => {
    const same = (bytes: Buffer): Buffer => bytes;
    const method = (name: string, responseStream: boolean) => ({
      path: `/a2a.v1.A2AService/${name}`,
      requestStream: false,
      responseStream,
      requestSerialize: same,
      requestDeserialize: same,
      responseSerialize: same,
      responseDeserialize: same,
    });
    const refused = () => ({ code: end.code, details: end.details });
    const unary: grpcJs.handleUnaryCall<Buffer, Buffer> = (call, answer) => {
      if (end.afterHeaders) call.sendMetadata(new grpcJs.Metadata());
      answer(refused());
    };
    agent.addService(
      {
        getTask: method("GetTask", false),
        cancelTask: method("CancelTask", false),
        taskSubscription: method("TaskSubscription", true),
      },
      {
        getTask: unary,
        cancelTask: unary,
        taskSubscription: (call: grpcJs.ServerWritableStream<Buffer, Buffer>) => {
          if (end.afterHeaders) call.sendMetadata(new grpcJs.Metadata());
          call.emit("error", refused());
        },
      },
    );
    const port = await new Promise<number>((resolve, reject) =>
      agent.bindAsync("127.0.0.1:0", grpcJs.ServerCredentials.createInsecure(), (error, bound) =>
        error ? reject(error) : resolve(bound),
      ),
    );
    client = createClient(A2A, grpc({ address: `127.0.0.1:${String(port)}` }));
  });
  afterAll(async () => {
    await client.close();
    agent.forceShutdown();
  });

  it.each([false, true])(
    "reads the name before a message, whatever the status, and takes it off (headers before it: %s)",
    async (afterHeaders) => {
      const { NOT_FOUND, UNIMPLEMENTED } = grpcJs.status;
      end = { code: NOT_FOUND, details: "TaskNotFoundError: Gone", afterHeaders };
      expect(await failure(client.getTask({ id: "t" }))).toMatchObject({
        reason: "TASK_NOT_FOUND",
        code: -32001,
        message: "Gone",
      });
      end = { code: UNIMPLEMENTED, details: "TaskNotCancelableError: Over", afterHeaders };
      expect(await failure(client.cancelTask({ id: "t" }))).toMatchObject({
        reason: "TASK_NOT_CANCELABLE",
        message: "Over",
      });
    },
  );

  it.each([false, true])(
    "takes the one error that a method has with a status (headers before it: %s)",
    async (afterHeaders) => {
      const { NOT_FOUND, FAILED_PRECONDITION } = grpcJs.status;
      end = { code: FAILED_PRECONDITION, details: "Over", afterHeaders };
      expect((await failure(client.cancelTask({ id: "t" }))).reason).toBe("TASK_NOT_CANCELABLE");
      end = { code: NOT_FOUND, details: "Gone", afterHeaders };
      expect((await failure(client.getTask({ id: "t" }))).reason).toBe("TASK_NOT_FOUND");
      expect((await failure(client.resubscribeToTask({ id: "t" }).next())).reason).toBe("TASK_NOT_FOUND");
    },
  );
});

describe("a server", () => {
  let server: RunningServer;
  let caller: Peer;
  beforeAll(async () => {
    server = await start({ grpc: { port: 0 } });
    caller = await peer(server.grpc?.address ?? "", "0.3");
  });
  afterAll(async () => {
    caller.close();
    await server.close();
  });

  it("puts the name of an error of A2A before its message, which its clients do not show", async () => {
    const { code, text, status } = await caller.unary("GetTask", { name: "tasks/nobody" });
    expect([code, text]).toEqual([5, "TaskNotFoundError: Task not found: nobody"]);
    expect(status?.message).toBe(text);
    const client = createClient(A2A, grpc({ address: server.grpc?.address ?? "" }));
    expect((await failure(client.getTask({ id: "nobody" }))).message).toBe("Task not found: nobody");
    await client.close();
  });

  it("puts nothing before an error of the binding", async () => {
    const { code, text } = await caller.unary("GetTask", { name: "no task" });
    expect(code).toBe(3);
    expect(text).not.toMatch(/Error: /);
  });
});
