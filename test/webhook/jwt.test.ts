/** Notifications that are signed: which signatures are taken. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, SignJWT, UnsecuredJWT } from "jose";
import { describe, expect, it } from "vitest";
import { sha256 } from "../../src/sha256.js";
import type { VerifyOptions } from "../../src/webhook.js";
import { verifyNotification } from "../../src/webhook.js";
import { testKeys } from "../push/keys.js";
import { request, update, verdict } from "./support.js";

const NOW = Date.UTC(2030, 0, 1);
const issuer = "https://agent.example.com";
const audience = "https://receiver.example.com/hook";
const body = JSON.stringify(update());
const REFUSED = "UNAUTHENTICATED 401";

/** A sender with a key, and the options of a receiver that trusts it. */
async function sender() {
  const { keys, jwks } = await testKeys();
  const claims = async (more: object = {}) => ({
    iss: issuer,
    aud: audience,
    iat: NOW / 1_000,
    exp: NOW / 1_000 + 300,
    jti: "d1",
    taskId: "t1",
    request_body_sha256: await sha256(body),
    ...more,
  });
  const jwt = async (more: object = {}) => keys.signJwt(await claims(more));
  const options: VerifyOptions = { jwks, issuer, audience, now: () => NOW };
  return { jwt, claims, options, jwks };
}

const signed = (jwt: string, text = body) => request(text, { authorization: `Bearer ${jwt}` });

describe("a JWT", () => {
  it("of the agent for this receiver, this body and now is taken (A2A-SA-i, A2A-13.2c-a, A2A-4.3.3-g)", async () => {
    const { jwt, options } = await sender();
    const { event, key } = await verifyNotification(signed(await jwt()), options);
    expect(event).toEqual(update());
    expect(key).toBe("d1");
  });

  it.each([
    ["another issuer", { iss: "https://evil.example.com" }],
    ["another audience", { aud: "https://other.example.com" }],
    ["no audience", { aud: undefined }],
    ["an end that has passed", { exp: NOW / 1_000 - 31 }],
    ["a time too long ago", { iat: NOW / 1_000 - 331, exp: NOW / 1_000 + 300 }],
    ["a time to come", { iat: NOW / 1_000 + 31 }],
    ["no time", { iat: undefined }],
    ["another body", { request_body_sha256: "0".repeat(64) }],
    ["no body", { request_body_sha256: undefined }],
    ["another task", { taskId: "t2" }],
  ])("with %s is refused (A2A-SA-i)", async (_, claims) => {
    const { jwt, options } = await sender();
    expect(await verdict(signed(await jwt(claims)), options)).toBe(REFUSED);
  });

  it("may come from a clock that differs, as far as it is told", async () => {
    const { jwt, options } = await sender();
    const exact = { ...options, clockToleranceSeconds: 0 };
    for (const claims of [
      { exp: NOW / 1_000 - 29 },
      { iat: NOW / 1_000 + 29 },
      { iat: NOW / 1_000 - 329, exp: NOW / 1_000 + 300 },
    ]) {
      expect(await verdict(signed(await jwt(claims)), options)).toBe("ok");
      expect(await verdict(signed(await jwt(claims)), exact)).toBe(REFUSED);
    }
  });

  it("covers every byte of the body", async () => {
    const { jwt, options } = await sender();
    expect(await verdict(signed(await jwt(), `${body} `), options)).toBe(REFUSED);
  });

  it("of another key, of none, or made with the public key as a secret is refused", async () => {
    const { jwt, claims, options, jwks } = await sender();
    const stranger = await sender();
    expect(await verdict(signed(await stranger.jwt()), options)).toBe(REFUSED);
    expect(await verdict(signed(new UnsecuredJWT(await claims()).encode()), options)).toBe(REFUSED);
    const secret = new TextEncoder().encode(JSON.stringify(jwks.keys[0]).padEnd(32, " "));
    const symmetric = await new SignJWT(await claims())
      .setProtectedHeader({ alg: "HS256", kid: "k1" })
      .sign(secret);
    const confused = { keys: [...jwks.keys, { ...(await exportJWK(secret)), alg: "HS256", kid: "k1" }] };
    expect(await verdict(signed(symmetric), { ...options, jwks: confused })).toBe(REFUSED);
    expect(await verdict(signed(`${(await jwt()).slice(0, -8)}AAAAAAAA`), options)).toBe(REFUSED);
    for (const junk of ["", "x", "a.b.c"]) expect(await verdict(signed(junk), options)).toBe(REFUSED);
    expect(await verdict(request(body), options)).toBe(REFUSED);
  });

  it("may come beside other credentials, in a header of its own; both must be right", async () => {
    const { jwt, options } = await sender();
    const authentication = { scheme: "Bearer", credentials: "c" };
    const both = { ...options, authentication };
    const headers = { authorization: "Bearer c", "x-a2a-notification-jwt": await jwt() };
    expect(await verdict(request(body, headers), both)).toBe("ok");
    expect(await verdict(request(body, { ...headers, authorization: "Bearer d" }), both)).toBe(REFUSED);
    expect(await verdict(request(body, { authorization: "Bearer c" }), both)).toBe(REFUSED);
    // What was registered is no JWT, whatever it looks like.
    const one = { scheme: "Bearer", credentials: await jwt() };
    const alone = request(body, { authorization: `Bearer ${one.credentials}` });
    expect(await verdict(alone, { ...options, authentication: one })).toBe(REFUSED);
  });

  it("that was seen is a repeat, whatever name the delivery claims", async () => {
    const { jwt, options } = await sender();
    const headers = { authorization: `Bearer ${await jwt()}`, "x-a2a-notification-id": "another" };
    const read = await verifyNotification(request(body, headers), { ...options, seen: new Set(["d1"]) });
    expect(read.duplicate).toBe(true);
  });

  it("without a limit to whom it is for needs that to be said", async () => {
    const { jwt, options } = await sender();
    const anyone = { ...options, audience: false } as const;
    expect(await verdict(signed(await jwt({ aud: "https://other.example.com" })), anyone)).toBe("ok");
  });
});

describe("a JWKS by its URL", () => {
  it("is fetched once; while it cannot be had, the sender is told to come again", async () => {
    const { jwt, options, jwks } = await sender();
    let asked = 0;
    let down = true;
    const server = createServer((_, response) => {
      asked += 1;
      response.writeHead(down ? 500 : 200, { "content-type": "application/json" }).end(JSON.stringify(jwks));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const remote = { ...options, jwks: `http://127.0.0.1:${String(port)}/jwks.json` };
    expect(await verdict(signed(await jwt()), remote)).toBe("UNAVAILABLE 503");
    down = false;
    expect(await verdict(signed(await jwt()), remote)).toBe("ok");
    expect(await verdict(signed(await jwt()), { ...remote, jwks: new URL(remote.jwks) })).toBe("ok");
    expect(asked).toBe(2);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});
