/** Credentials of agents in a configuration: by names of environment variables, and in no error. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { A2AAgents, A2ASession, A2ATools, type AgentAuth } from "a2a-typed/session";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AuthorizationServer } from "../client-auth/authorization-server.js";
import { listen, reply, type TestServer } from "../client/support.js";

const SECRET = "secret-of-the-environment-0123456789";
const VARIABLE = "A2A_TYPED_TEST_SECRET";
let folder = "";
beforeEach(() => {
  vi.stubEnv(VARIABLE, SECRET);
  folder = mkdtempSync(join(tmpdir(), "a2a-auth-"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** An agent that answers whoever calls; the card asks for these schemes. */
const agent = (): Promise<TestServer> =>
  listen((seen, response) => {
    const url = `http://${String(seen.headers.host)}/rpc`;
    if (seen.method === "POST") {
      const message = { messageId: "m", role: "ROLE_AGENT", parts: [{ text: "hi" }] };
      reply(response, { jsonrpc: "2.0", id: seen.json.id, result: { message } });
      return;
    }
    reply(response, {
      name: "Locked",
      capabilities: {},
      supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
      securitySchemes: { login: { httpAuthSecurityScheme: { scheme: "Basic" } } },
      securityRequirements: [{ schemes: { login: {} } }],
    });
  });

/** As a file has it. */
function agentsOf(url: string, auth: unknown): A2AAgents {
  const path = join(folder, "agents.json");
  writeFileSync(path, JSON.stringify({ locked: { url, auth } }));
  return new A2AAgents(path);
}

const env = { env: VARIABLE };
const basicOf = (text: string): string => `Basic ${Buffer.from(text).toString("base64")}`;
const called = (server: TestServer) => server.seen.find(({ method }) => method === "POST");

describe("auth of an agent", () => {
  it.each<[string, AgentAuth, "authorization" | "x-key" | "cookie", string]>([
    ["a token", { bearer: env }, "authorization", `Bearer ${SECRET}`],
    ["a token as it is", { bearer: "in-the-file" }, "authorization", "Bearer in-the-file"],
    [
      "a name and password",
      { basic: { username: "ann", password: env } },
      "authorization",
      basicOf(`ann:${SECRET}`),
    ],
    ["a key", { api_key: { in: "header", name: "X-Key", key: env } }, "x-key", SECRET],
    ["a cookie", { api_key: { in: "cookie", name: "k", key: env } }, "cookie", `k=${SECRET}`],
    [
      "what the card asks for",
      { schemes: { login: { username: "ann", password: env }, other: env } },
      "authorization",
      basicOf(`ann:${SECRET}`),
    ],
  ])("shows %s", async (_, auth, header, value) => {
    await using server = await agent();
    const session = new A2ASession(agentsOf(server.url, auth));
    expect(await session.sendMessage("locked", "x")).toMatchObject({ kind: "message" });
    expect(called(server)?.headers[header]).toBe(value);
    // The card is public.
    expect(server.seen[0]?.headers[header]).toBeUndefined();
  });

  it("is read for each request, so that a token may change", async () => {
    await using server = await agent();
    const session = new A2ASession(agentsOf(server.url, { bearer: env }));
    await session.sendMessage("locked", "x");
    vi.stubEnv(VARIABLE, "the-next-token");
    await session.sendMessage("locked", "x");
    expect(server.seen.at(-1)?.headers.authorization).toBe("Bearer the-next-token");
  });

  it("gets tokens of an authorization server, one for many calls", async () => {
    await using tokens = await AuthorizationServer.start();
    tokens.secrets.set("me", SECRET);
    await using server = await agent();
    const auth: AgentAuth = {
      client_credentials: { issuer: tokens.url, client_id: "me", client_secret: env },
    };
    const session = new A2ASession(agentsOf(server.url, auth));
    await session.sendMessage("locked", "x");
    await session.sendMessage("locked", "x");
    expect(called(server)?.headers.authorization).toMatch(/^Bearer ./);
    expect(tokens.grants()).toHaveLength(1);
  });

  it("goes along with an agent that is added", async () => {
    await using server = await agent();
    const agents = new A2AAgents();
    await agents.addAgent("late", server.url, {}, { bearer: env });
    await new A2ASession(agents).sendMessage("late", "x");
    expect(called(server)?.headers.authorization).toBe(`Bearer ${SECRET}`);
  });

  it("whose variable is not set makes one agent unreachable, and says which variable", async () => {
    await using server = await agent();
    await using open = await agent();
    const agents = new A2AAgents({
      locked: { url: server.url, auth: { bearer: { env: "A2A_TYPED_NO_SUCH" } } },
      open: { url: open.url, auth: { bearer: env } },
    });
    expect(Object.keys(await agents.getAgents())).toEqual(["open"]);
    expect(agents.initializationErrors).toEqual({
      locked: "CONFIG: auth: the environment variable A2A_TYPED_NO_SUCH is not set, or empty",
    });
    expect(server.seen).toHaveLength(0);
  });

  it.each([
    [SECRET, /auth must be an object with one of bearer, basic, api_key, client_credentials, schemes/],
    [{}, /auth must be an object with one of/],
    [{ token: SECRET }, /auth must be an object with one of/],
    [{ bearer: env, basic: { username: "a", password: env } }, /auth must be an object with one of/],
    [{ bearer: { variable: SECRET } }, /auth\.bearer is not as it should be/],
    [
      { basic: { username: "a", password: { env, [SECRET]: 1 } } },
      /auth\.basic\.password is not as it should be/,
    ],
    [{ api_key: { in: SECRET, name: "x", key: env } }, /auth\.api_key\.in is not as it should be/],
    [
      { client_credentials: { issuer: SECRET, client_id: "a", client_secret: env } },
      /auth\.client_credentials\.issuer/,
    ],
    [{ schemes: { login: 5 } }, /auth\.schemes\.login is not as it should be/],
  ])("that is wrong is refused, and not shown: %#", async (auth, text) => {
    let error: unknown;
    try {
      agentsOf("http://127.0.0.1:1", auth);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ reason: "CONFIG", message: expect.stringMatching(text) as string });
    expect(inspect(error, { depth: Infinity })).not.toContain(SECRET);
  });

  it("is in nothing that tools and registries say of an agent that fails and tells", async () => {
    await using server = await listen((seen, response) => {
      const { authorization = "", "x-key": key = "" } = seen.headers;
      const told = [authorization, Buffer.from(authorization.slice(6), "base64").toString(), key].join(" ");
      if (seen.method === "POST") {
        reply(response, {
          jsonrpc: "2.0",
          id: seen.json.id,
          error: { code: -32603, message: told, data: told },
        });
      } else
        reply(response, {
          name: "Telling",
          capabilities: {},
          supportedInterfaces: [
            {
              url: `http://${String(seen.headers.host)}/rpc`,
              protocolBinding: "JSONRPC",
              protocolVersion: "1.0",
            },
          ],
        });
    });
    const configs = [
      { auth: { bearer: env } },
      { auth: { basic: { username: "ann", password: env } } },
      { auth: { api_key: { in: "header", name: "x-key", key: env } } },
      { custom_headers: { "X-Key": SECRET } },
    ] as const;
    for (const config of configs) {
      const agents = new A2AAgents({ telling: { url: server.url, ...config } });
      const tools = new A2ATools(new A2ASession(agents));
      const answers = [
        await tools.sendMessage.execute({ agentId: "telling", message: "x" }),
        await tools.getTask.execute({ agentId: "telling", taskId: "t", timeout: 1 }),
        await agents.checkHealth(),
        agents.initializationErrors,
        await new A2ASession(agents).sendMessage("telling", "x").catch((error: unknown) => error),
      ];
      expect(inspect(answers, { depth: Infinity, showHidden: true })).not.toContain(SECRET.slice(0, 12));
      expect(JSON.stringify(answers)).not.toContain(SECRET.slice(0, 12));
    }
  });
});
