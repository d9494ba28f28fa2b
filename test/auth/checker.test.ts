/** Several schemes at once: which of them decide who calls, which tenants are left, and what wrong credentials spoil. */
import { describe, expect, it } from "vitest";
import { apiKey, bearer, type AuthRequest, type Identity } from "a2a-typed/auth";
import { createChecker } from "../../src/auth/checker.js";
import { A2AError } from "../../src/errors.js";
import type { SecurityRequirement } from "../../src/versions/pivot.js";
import { warnings } from "./support.js";

const needs = (...names: string[]): SecurityRequirement => ({
  schemes: Object.fromEntries(names.map((name) => [name, { list: [] }])),
});
const shown = (headers: Record<string, string>): AuthRequest => ({ method: "POST", url: "/", headers });
const user: Identity = { principal: "alice", tenants: ["red", "blue"] };
const machine: Identity = { principal: "device", tenants: ["blue", "green"] };
const both = shown({ authorization: "Bearer t", "x-key": "k" });

const checker = (requirements: readonly SecurityRequirement[], of = { user, machine }) =>
  createChecker({
    schemes: {
      token: bearer({ t: of.user }),
      key: apiKey({ in: "header", name: "X-Key", keys: { k: of.machine } }),
    },
    requirements,
    logger: warnings().logger,
  });

describe("of several schemes", () => {
  it("the first of the requirement that is met says who calls, in whatever order the schemes are", async () => {
    expect(await checker([needs("key", "token")])(both)).toMatchObject({ principal: "device" });
    expect(await checker([needs("token", "key")])(both)).toMatchObject({ principal: "alice" });
    expect(await checker([needs("key")])(both)).toMatchObject({ principal: "device" });
  });

  it("a tenant must be allowed by each that is needed", async () => {
    expect((await checker([needs("token", "key")])(both))?.tenants).toEqual(["blue"]);
    expect((await checker([needs("token")])(both))?.tenants).toEqual(["red", "blue"]);
    const anywhere = { user, machine: { principal: "device" } };
    expect((await checker([needs("key")], anywhere)(both))?.tenants).toBeUndefined();
    expect((await checker([needs("key", "token")], anywhere)(both))?.tenants).toEqual(["red", "blue"]);
  });

  it("who shows who they are where nobody must has the tenants of that, and no others", async () => {
    const check = checker([]);
    expect((await check(shown({ "x-key": "k" })))?.tenants).toEqual(["blue", "green"]);
    expect((await check(both))?.tenants).toEqual(["red", "blue"]);
    expect(await check(shown({}))).toBeUndefined();
  });

  it("wrong credentials of one spoil nothing where another suffices (A2A-4.5.x-b)", async () => {
    const half = shown({ authorization: "Bearer wrong", "x-key": "k" });
    for (const requirements of [[needs("key")], [needs("token"), needs("key")], []]) {
      expect(await checker(requirements)(half)).toMatchObject({ principal: "device" });
    }
    for (const requirements of [[needs("token")], [needs("token", "key")]]) {
      await expect(checker(requirements)(half)).rejects.toMatchObject({ reason: "UNAUTHENTICATED" });
    }
  });
});

it("a scheme without a word for scopes refuses without a challenge (A2A-3.3.2-f)", async () => {
  const asks: SecurityRequirement = { schemes: { key: { list: ["write"] } } };
  const refusal = await checker([asks])(both).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ reason: "PERMISSION_DENIED", data: [{ metadata: { scopes: "write" } }] });
  expect(refusal).not.toHaveProperty("headers.www-authenticate");
});

it("keys that cannot be had are logged with their cause, since callers learn neither", async () => {
  const { logger, lines } = warnings();
  const cause = new Error("ECONNREFUSED");
  const down = () => Promise.reject(new A2AError("UNAVAILABLE", "no keys now", { cause }));
  const check = createChecker({ schemes: { token: bearer(down) }, requirements: [needs("token")], logger });
  await expect(check(both)).rejects.toMatchObject({ reason: "UNAVAILABLE" });
  expect(lines).toEqual([["a2a: token: no keys now", cause]]);
});
