import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { grpcProblemOf } from "./grpc-attack.js";
import { grpcDrafts } from "./grpc-drafts.js";
import { mutateGrpc } from "./grpc-mutate.js";
import { createRandom } from "./random.js";
import { mutate } from "./mutate.js";
import { problemOf } from "./verdict.js";
import { validRequests } from "./valid-requests.js";

const run = (...args: string[]): Promise<{ code: unknown; text: string }> =>
  new Promise((resolve) => {
    const script = fileURLToPath(new URL("run.ts", import.meta.url));
    execFile(process.execPath, ["--import", "tsx", script, ...args], (error, out, err) => {
      resolve({ code: error === null ? 0 : error.code, text: out + err });
    });
  });

it("answers 1,000 mutated requests per binding with well-formed JSON or a status and goes on (A2A-13.4-e)", async () => {
  const { code, text } = await run("--scale", "0.01", "--seed", "7");
  expect(text).toMatch(/seed 7/);
  expect(text).toMatch(/3000 requests, 0 failures/);
  expect(code).toBe(0);
}, 120_000);

it("makes the same attacks from the same seed", () => {
  const attacks = (seed: number): string[] => {
    const random = createRandom(seed);
    const valid = validRequests("HTTP+JSON", "t");
    return Array.from({ length: 200 }, () => mutate(random.pick(valid), random).bytes.toString("latin1"));
  };
  expect(attacks(5)).toEqual(attacks(5));
  expect(attacks(5)).not.toEqual(attacks(6));
});

it("makes the same calls of gRPC from the same seed", () => {
  const drafts = grpcDrafts("t");
  const attacks = (seed: number): string[] => {
    const random = createRandom(seed);
    return Array.from({ length: 200 }, () => {
      const { headers, body } = mutateGrpc(random.pick(drafts), drafts, random);
      return JSON.stringify(headers) + body.toString("hex");
    });
  };
  expect(new Set(drafts.map(({ path }) => path.split("/")[1]))).toEqual(
    new Set(["lf.a2a.v1.A2AService", "a2a.v1.A2AService"]),
  );
  expect(attacks(5)).toEqual(attacks(5));
  expect(attacks(5)).not.toEqual(attacks(6));
});

it("sees what is wrong with a status", () => {
  const call = { headers: { ":path": "/a" }, body: Buffer.alloc(0), framed: true, kinds: ["bytes"] };
  const status = (code: number, text: string) => grpcProblemOf(call, { kind: "status", status: code, text });
  expect(status(0, "")).toBeUndefined();
  expect(status(3, "message: required")).toBeUndefined();
  expect(status(3, " ")).toBe("a status without a message");
  expect(status(13, "Internal error")).toBe("status 13");
  expect(status(2, "x")).toBe("status 2");
  expect(status(17, "x")).toBe("status 17");
  expect(status(3, "TypeError: x")).toMatch(/leaks/);
  expect(grpcProblemOf(call, { kind: "reset", text: "" })).toBe("no status (reset)");
  expect(grpcProblemOf({ ...call, framed: false }, { kind: "reset", text: "" })).toBeUndefined();
  expect(grpcProblemOf({ ...call, framed: false }, { kind: "silent", text: "" })).toBe("no end");
});

it("sees what is wrong with an answer", () => {
  const framed = { bytes: Buffer.alloc(0), framed: true, kinds: [] };
  const answer = (status: number, body: string, type = "application/json") =>
    problemOf(framed, { kind: "answer", status, type, body });
  const error = (message: string, code = 400) => JSON.stringify({ error: { code, message } });
  expect(answer(400, error("Bad"))).toBeUndefined();
  expect(answer(200, '{"jsonrpc":"2.0","id":1,"result":{}}')).toBeUndefined();
  expect(answer(400, error("x\n    at run (/srv/app/x.ts:1:1)"))).toMatch(/leaks/);
  expect(answer(400, error("TypeError: x"))).toMatch(/leaks/);
  expect(answer(400, error("Bad", 404))).toMatch(/error code 404/);
  expect(answer(400, "<h1>Bad</h1>", "text/html")).toMatch(/content type/);
  expect(answer(400, "{")).toBe("no JSON");
  expect(answer(500, error("Internal", 500))).toBe("status 500");
  expect(answer(200, '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"m"}}')).toMatch(/internal/);
  expect(problemOf(framed, { kind: "closed" })).toMatch(/no answer/);
});
