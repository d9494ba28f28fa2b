/** Who is not known, or may not: what every binding and version answers, and that no body is read before. */
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { describe, expect, it } from "vitest";
import { apiKey, bearer, custom } from "a2a-typed/auth";
import { bindings, host, operationNames, say, type Answer, type BindingName } from "../rules/support.js";
import { as, legacy, people, tokens, warnings, whoami } from "./support.js";

/** Input by which each operation would find something. */
const inputs: Readonly<Record<string, object>> = {
  SendMessage: say("x"),
  SendStreamingMessage: say("x"),
  ListTasks: {},
  GetExtendedAgentCard: {},
};
const inputOf = (name: string): object =>
  inputs[name] ?? { id: "t", taskId: "t", url: "https://hook.example.com" };

const refusal = ({ status, headers, json }: Answer) => ({
  status,
  challenge: headers.get("www-authenticate"),
  code: json.error.code,
  message: json.error.message,
  metadata: (json.error.data ?? json.error.details)?.[0].metadata,
});

describe.each(bindings)("over %s", (binding: BindingName) => {
  const codeOf = (http: number): number => (binding === "JSONRPC" ? -32000 : http);

  it("every operation refuses who shows nothing, and names what to show (A2A-3.3.2-c, A2A-3.3.2-d, A2A-7.4-a, A2A-7.4-b, A2A-7.4-c, A2A-ER-c, A2A-ER-d)", async () => {
    await using server = await host(binding, whoami(), {
      auth: {
        schemes: {
          token: bearer(people, { realm: "agents" }),
          key: apiKey({ in: "header", name: "X-Key", keys: {} }),
        },
      },
      push: true,
    });
    for (const name of operationNames) {
      const answer = await server.call(name, inputOf(name));
      expect([name, refusal(answer)]).toEqual([
        name,
        {
          status: 401,
          challenge: 'Bearer realm="agents", ApiKey in="header", name="X-Key"',
          code: codeOf(401),
          message: "Authentication required: show credentials of token, or of key",
          metadata: { schemes: "token,key" },
        },
      ]);
    }
    expect(await server.ok("SendMessage", say("x"), as("alice"))).toMatchObject({
      task: { artifacts: [{ parts: [{ text: "you are alice" }] }] },
    });
  });

  it("wrong credentials are refused in the same way (A2A-3.3.2-c)", async () => {
    await using server = await host(binding, whoami(), { auth: tokens });
    expect(refusal(await server.call("ListTasks", {}, as("mallory")))).toEqual({
      status: 401,
      challenge: 'Bearer error="invalid_token"',
      code: codeOf(401),
      message: "Authentication failed: The bearer token is not valid; show credentials of token",
      metadata: { schemes: "token" },
    });
    // The scheme has no case, and another scheme is not this one.
    const shouted = await server.call("ListTasks", {}, { authorization: "BEARER token-bob" });
    expect(shouted.status).toBe(200);
    expect((await server.call("ListTasks", {}, { authorization: "Basic token-bob" })).status).toBe(401);
  });

  it("who is known but lacks a scope is told which (A2A-3.3.2-e, A2A-3.3.2-f)", async () => {
    await using server = await host(binding, whoami(), {
      auth: { ...tokens, requirements: [{ schemes: { token: { list: ["read", "write", "admin"] } } }] },
    });
    expect(refusal(await server.call("ListTasks", {}, as("bob")))).toEqual({
      status: 403,
      challenge: 'Bearer error="insufficient_scope", scope="write admin"',
      code: codeOf(403),
      message: "Permission denied: this needs the scope write, admin",
      metadata: { scheme: "token", scopes: "write admin" },
    });
  });

  it("0.3 and 0.2 are refused in their own shape", async () => {
    await using server = await host(binding, whoami(), { auth: tokens });
    const { status, headers, json } = await legacy(server.url, binding, "get", "t", {});
    expect([status, headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    const error = {
      code: -32000,
      message: "Authentication required: show credentials of token",
      data: { schemes: "token" },
    };
    if (binding === "JSONRPC") expect(json).toEqual({ jsonrpc: "2.0", id: null, error });
    else expect(json).toMatchObject(error);
    expect((await legacy(server.url, binding, "get", "t", { "a2a-version": "0.2" })).status).toBe(401);
  });

  it("no byte of a body is read before: neither JSON that is none nor a body that never comes changes the answer", async () => {
    await using server = await host(binding, whoami(), { auth: tokens });
    const url = binding === "JSONRPC" ? server.url : `${server.url}/message:send`;
    const headers = { "a2a-version": "1.0", "content-type": "application/json" };
    const broken = await fetch(url, { method: "POST", headers, body: '{"message": {' });
    expect(broken.status).toBe(401);
    // A version that is not served has to echo the id of the body: not for strangers.
    for (const version of ["1.0", "9.9"]) {
      const request = httpRequest(url, {
        method: "POST",
        headers: { ...headers, "a2a-version": version, "content-length": "1000" },
      });
      request.on("error", () => undefined);
      request.flushHeaders();
      const [response] = (await once(request, "response")) as [{ statusCode: number; resume(): void }];
      expect(response.statusCode).toBe(version === "1.0" ? 401 : binding === "JSONRPC" ? 200 : 400);
      request.destroy();
    }
  });

  it("asks the authenticators once for a request, whatever it is (A2A-13.1-b, A2A-13.1-c)", async () => {
    const seen: string[] = [];
    const sso = custom({
      scheme: { openIdConnectSecurityScheme: { openIdConnectUrl: "https://id.example.com/.well-known" } },
      authenticate: ({ headers, method }) => {
        seen.push(method);
        const project = headers["x-project"];
        return project === undefined ? undefined : { principal: { id: project, role: "maintainer" } };
      },
      challenge: 'Sso realm="projects"',
    });
    await using server = await host(
      binding,
      whoami(async (ctx) => JSON.stringify(ctx.principal)),
      {
        auth: { schemes: { sso } },
      },
    );
    expect((await server.call("ListTasks")).headers.get("www-authenticate")).toBe('Sso realm="projects"');
    expect(seen).toHaveLength(1);
    const { task } = await server.ok("SendMessage", say("x"), { "x-project": "apollo" });
    expect(task.artifacts[0].parts[0].text).toBe('{"id":"apollo","role":"maintainer"}');
    await server.ok("GetTask", { id: task.id }, { "x-project": "apollo" });
    expect(seen).toHaveLength(3);
  });

  it("a failure of an authenticator itself is no refusal, and tells nothing", async () => {
    await using server = await host(binding, whoami(), {
      auth: { schemes: { token: bearer(() => Promise.reject(new Error("database at 10.0.0.3 is down"))) } },
    });
    const { status, json } = await legacy(server.url, binding, "get", "t", as("alice"));
    expect(status).toBe(binding === "JSONRPC" ? 200 : 500);
    expect(JSON.stringify(json)).not.toContain("10.0.0.3");
    expect((json.error ?? json).message).toBe("Internal error");
  });

  it("each refusal is logged with the address, never with what was shown", async () => {
    const { logger, lines } = warnings();
    await using server = await host(binding, whoami(), { auth: tokens, logger });
    await server.call("ListTasks", {}, { authorization: "Bearer s3cret" });
    expect(lines).toEqual([
      [
        "a2a: Authentication failed: The bearer token is not valid; show credentials of token",
        { address: "127.0.0.1", shown: ["token"], refused: ["token"] },
      ],
    ]);
    expect(JSON.stringify(lines)).not.toContain("s3cret");
  });

  it("anonymous callers are welcome where the card asks for nothing, but what is shown is checked (A2A-4.5.x-d)", async () => {
    for (const requirements of [[], [{}], [{ schemes: { token: { list: [] } } }, { schemes: {} }]]) {
      await using server = await host(binding, whoami(), { auth: { ...tokens, requirements } });
      const said = async (headers: Record<string, string>): Promise<unknown> =>
        (await server.ok("SendMessage", say("x"), headers)).task.artifacts[0].parts[0].text;
      expect(await said({})).toBe("you are nobody");
      expect(await said(as("bob"))).toBe("you are bob");
      const wrong = await server.call("ListTasks", {}, as("mallory"));
      expect([wrong.status, wrong.headers.get("www-authenticate")]).toEqual([
        401,
        'Bearer error="invalid_token"',
      ]);
    }
  });

  it("the identity comes from the transport, not from the payload (A2A-ER-a, A2A-ER-f)", async () => {
    let runs = 0;
    await using server = await host(
      binding,
      whoami(async (ctx) => {
        runs += 1;
        return String(ctx.principal);
      }),
      { auth: tokens },
    );
    const input = { ...say("x", { metadata: { principal: "alice" } }), metadata: { principal: "alice" } };
    expect((await server.call("SendMessage", input)).status).toBe(401);
    // Nothing ran for who was refused.
    expect(runs).toBe(0);
    const { task } = await server.ok("SendMessage", input, as("bob"));
    expect(task.artifacts[0].parts[0].text).toBe("bob");
  });
});
