/** OAuth 2 against an authorization server on a loopback address, with our own server as the agent. */
import { describe, expect, it } from "vitest";
import { connect } from "../../src/client.js";
import {
  authorizationCode,
  clientCredentials,
  credentials,
  deviceCode,
  refreshToken,
  tokenExchange,
  type Auth,
  type OAuthOptions,
  type Tokens,
} from "../../src/client-auth.js";
import { networkGuard } from "../../src/node.js";
import { failure } from "../client/support.js";
import { AuthorizationServer, send } from "./authorization-server.js";
import { resource } from "./support.js";

const open = (url: string, auth: Auth) => connect(url, { auth, retry: false });
const optionsOf = (tokens: AuthorizationServer): OAuthOptions => ({
  issuer: tokens.url,
  clientId: "agent",
  clientSecret: "agent-secret-0123456789",
  now: tokens.now,
});
const publicOf = (tokens: AuthorizationServer) => ({
  tokenEndpoint: `${tokens.url}/token`,
  clientId: "public",
  now: tokens.now,
});

describe("client credentials", () => {
  it.each(["basic", "post"] as const)(
    "one token for many calls at once; secret in %s",
    async (clientAuth) => {
      await using tokens = await AuthorizationServer.start();
      await using running = await resource(tokens);
      await using agent = await open(running.url, clientCredentials({ ...optionsOf(tokens), clientAuth }));
      const replies = await Promise.all([1, 2, 3, 4, 5].map(() => agent.send("x")));
      expect(replies.map((one) => one.text())).toEqual(Array(5).fill("you are agent"));
      expect(tokens.grants()).toEqual(["client_credentials"]);
      expect(tokens.asked.filter(({ path }) => path.startsWith("/.well-known/"))).toHaveLength(1);
    },
  );

  it("a token is replaced before its end, and a short one is still used", async () => {
    await using tokens = await AuthorizationServer.start();
    await using running = await resource(tokens);
    tokens.expiresIn = 100;
    await using agent = await open(running.url, clientCredentials({ ...optionsOf(tokens), skewMs: 30_000 }));
    await agent.send("x");
    tokens.shift = 60_000;
    await agent.send("x");
    expect(tokens.grants()).toHaveLength(1);
    tokens.shift = 71_000;
    tokens.expiresIn = 10;
    await agent.send("x");
    expect(tokens.grants()).toHaveLength(2);
    tokens.shift = 75_000;
    await agent.send("x");
    expect(tokens.grants()).toHaveLength(2);
  });

  it("a token that was revoked is replaced once, also for many calls at once", async () => {
    await using tokens = await AuthorizationServer.start();
    await using running = await resource(tokens);
    await using agent = await open(running.url, clientCredentials(optionsOf(tokens)));
    await agent.send("x");
    tokens.revokeAll();
    const replies = await Promise.all([1, 2, 3, 4].map(() => agent.send("x")));
    expect(replies.map((one) => one.text())).toEqual(Array(4).fill("you are agent"));
    expect(tokens.grants()).toHaveLength(2);
  });

  it("401 is final where the next token is refused too", async () => {
    await using tokens = await AuthorizationServer.start();
    await using running = await resource(tokens);
    await using agent = await open(running.url, clientCredentials(optionsOf(tokens)));
    tokens.issue = () => "a-token-that-nobody-knows";
    expect((await failure(agent.send("x"))).reason).toBe("UNAUTHENTICATED");
    expect(tokens.grants()).toHaveLength(2);
  });

  it("takes the scopes that the card asks for", async () => {
    await using tokens = await AuthorizationServer.start();
    await using running = await resource(tokens, ["book", "read"]);
    const login = clientCredentials(optionsOf(tokens));
    await using agent = await open(running.url, credentials({ login }));
    expect((await agent.send("x")).text()).toBe("you are agent");
    expect(tokens.asked.at(-1)?.form.get("scope")).toBe("book read");
  });

  it("what failed is tried again by the next call", async () => {
    await using tokens = await AuthorizationServer.start();
    await using running = await resource(tokens);
    await using agent = await open(running.url, clientCredentials(optionsOf(tokens)));
    tokens.takeover = (_, response) => {
      send(response, 503, { error: "temporarily_unavailable" });
      return true;
    };
    expect((await failure(agent.send("x"))).reason).toBe("DECODE");
    tokens.takeover = undefined;
    expect((await agent.send("x")).text()).toBe("you are agent");
  });
});

describe("authorization code", () => {
  const redirectUri = "http://127.0.0.1:9/callback";

  it("with PKCE and state; then by refresh token, which rotates (A2A-4.5.8-b)", async () => {
    await using tokens = await AuthorizationServer.start();
    await using running = await resource(tokens);
    const seen: URL[] = [];
    const kept: Tokens[] = [];
    const auth = authorizationCode({
      ...optionsOf(tokens),
      redirectUri,
      scope: ["a", "b"],
      authorize: (url) => {
        seen.push(url);
        return tokens.approve(url);
      },
      onTokens: (one) => kept.push(one),
    });
    await auth.token();
    await using agent = await open(running.url, auth);
    expect((await agent.send("x")).text()).toBe("you are user");
    expect(Object.fromEntries(seen[0]?.searchParams ?? [])).toMatchObject({
      response_type: "code",
      client_id: "agent",
      redirect_uri: redirectUri,
      scope: "a b",
      code_challenge_method: "S256",
    });
    tokens.shift = 3_600_000;
    await agent.send("x");
    // Refused and without an end in sight: renewed, and called again.
    tokens.revokeAll();
    expect((await agent.send("x")).text()).toBe("you are user");
    expect(tokens.grants()).toEqual(["authorization_code", "refresh_token", "refresh_token"]);
    expect(seen).toHaveLength(1);
    expect(new Set(kept.map((one) => one.refreshToken)).size).toBe(3);

    // The next run goes on with what was kept.
    const later = authorizationCode({
      ...optionsOf(tokens),
      redirectUri,
      authorize: () => Promise.reject(new Error("nobody is there")),
      tokens: kept.at(-1),
    });
    await using again = await open(running.url, later);
    expect((await again.send("x")).text()).toBe("you are user");
  });

  it("without a refresh token the user is not asked in the middle of a call, but with the next one", async () => {
    await using tokens = await AuthorizationServer.start();
    await using running = await resource(tokens);
    tokens.refreshes = false;
    let asked = 0;
    const authorize = (url: URL) => {
      asked++;
      return tokens.approve(url);
    };
    const auth = authorizationCode({ ...optionsOf(tokens), redirectUri, authorize });
    await using agent = await open(running.url, auth);
    await agent.send("x");
    tokens.revokeAll();
    expect((await failure(agent.send("x"))).reason).toBe("UNAUTHENTICATED");
    expect(asked).toBe(1);
    await agent.send("x");
    expect(asked).toBe(2);
  });

  it.each([
    [
      "another state",
      (back: URL) => {
        back.searchParams.set("state", "other");
      },
    ],
    [
      "no state",
      (back: URL) => {
        back.searchParams.delete("state");
      },
    ],
    [
      "another issuer",
      (back: URL) => {
        back.searchParams.set("iss", "https://other.example.com");
      },
    ],
    [
      "a refusal",
      (back: URL) => {
        back.searchParams.set("error", "access_denied");
      },
    ],
    [
      "another code",
      (back: URL) => {
        back.searchParams.set("code", "stolen-code-123");
      },
    ],
  ])("refuses %s", async (_, change) => {
    await using tokens = await AuthorizationServer.start();
    const auth = authorizationCode({
      ...optionsOf(tokens),
      redirectUri,
      authorize: async (url) => {
        const back = await tokens.approve(url);
        change(back);
        return back;
      },
    });
    const error = await failure(auth.token());
    expect(["UNAUTHENTICATED", "DECODE"]).toContain(error.reason);
    expect(error.message).not.toContain("stolen");
    expect(tokens.access.size).toBe(0);
  });

  it("a code is no good without its verifier", async () => {
    await using tokens = await AuthorizationServer.start();
    let stolen: URL | undefined;
    const options = { ...optionsOf(tokens), redirectUri };
    const victim = authorizationCode({
      ...options,
      authorize: async (url) => {
        stolen = await tokens.approve(url);
        throw new Error("the user closed the window");
      },
    });
    await expect(victim.token()).rejects.toThrow("closed the window");
    const thief = authorizationCode({
      ...options,
      authorize: (url) => {
        const back = new URL(stolen ?? "");
        back.searchParams.set("state", url.searchParams.get("state") ?? "");
        return back;
      },
    });
    expect((await failure(thief.token())).message).toContain("invalid_grant");
  });
});

describe("device code", () => {
  it("waits for the user, slower where it is told to", async () => {
    await using tokens = await AuthorizationServer.start();
    await using running = await resource(tokens);
    tokens.deviceAnswers = ["authorization_pending", "authorization_pending"];
    const prompts: unknown[] = [];
    const auth = deviceCode({
      ...publicOf(tokens),
      deviceAuthorizationEndpoint: `${tokens.url}/device`,
      prompt: (what) => void prompts.push(what),
    });
    await using agent = await open(running.url, auth);
    expect((await agent.send("x")).text()).toBe("you are user");
    expect(prompts).toMatchObject([{ userCode: "ABCD-EFGH", verificationUri: `${tokens.url}/link` }]);
    expect(tokens.grants()).toHaveLength(3);
    tokens.shift = 3_600_000;
    await agent.send("x");
    expect(tokens.grants().at(-1)).toBe("refresh_token");
  });

  it("ends when the user refuses, when the code is over, and when it is stopped", async () => {
    await using tokens = await AuthorizationServer.start();
    const stop = new AbortController();
    const auth = (signal?: AbortSignal) =>
      deviceCode({ ...optionsOf(tokens), prompt: () => undefined, signal });
    tokens.deviceAnswers = ["authorization_pending", "access_denied"];
    expect((await failure(auth().token())).message).toContain("access_denied");
    tokens.deviceAnswers = ["expired_token"];
    expect((await failure(auth().token())).message).toContain("expired_token");
    tokens.deviceAnswers = ["authorization_pending", "slow_down"];
    tokens.takeover = ({ form }) => {
      if (form.has("device_code") && tokens.deviceAnswers.length === 1) stop.abort();
      return false;
    };
    expect((await failure(auth(stop.signal).token())).reason).toBe("ABORTED");
    tokens.takeover = ({ form }) => {
      if (form.has("device_code")) tokens.shift += 600_000;
      return false;
    };
    tokens.deviceAnswers = ["authorization_pending", "authorization_pending"];
    expect((await failure(auth().token())).reason).toBe("TIMEOUT");
  });
});

describe("refresh token and token exchange", () => {
  it("a refresh token from elsewhere, until it is no good", async () => {
    await using tokens = await AuthorizationServer.start();
    await using running = await resource(tokens);
    let first: Tokens | undefined;
    const signedIn = authorizationCode({
      ...optionsOf(tokens),
      redirectUri: "http://127.0.0.1:9/",
      authorize: tokens.approve,
      onTokens: (one) => (first = one),
    });
    await signedIn.token();
    const used = first?.refreshToken ?? "";
    await using agent = await open(running.url, refreshToken({ ...optionsOf(tokens), refreshToken: used }));
    expect((await agent.send("x")).text()).toBe("you are user");
    // Rotated, so the old one is dead.
    const error = await failure(refreshToken({ ...optionsOf(tokens), refreshToken: used }).token());
    expect(error.reason).toBe("UNAUTHENTICATED");
    expect(error.message).toContain("sign in again");
  });

  it("an agent calls another one for its caller, who is the subject and it the actor (RFC 8693)", async () => {
    await using tokens = await AuthorizationServer.start();
    await using running = await resource(tokens);
    let caller = tokens.issue("alice");
    const auth = tokenExchange({
      ...optionsOf(tokens),
      subjectToken: () => caller,
      actorToken: clientCredentials(optionsOf(tokens)),
      resource: running.url,
    });
    await using agent = await open(running.url, auth);
    const sent = async () => (await agent.send("x")).text();
    expect(await sent()).toBe(`you are alice through agent at ${running.url}`);
    await sent();
    caller = tokens.issue("bob");
    expect(await sent()).toBe(`you are bob through agent at ${running.url}`);
    const exchange = "urn:ietf:params:oauth:grant-type:token-exchange";
    expect(tokens.grants()).toEqual(["client_credentials", exchange, exchange]);
    expect(Object.fromEntries(tokens.asked.at(-1)?.form ?? [])).toMatchObject({
      subject_token: caller,
      subject_token_type: "urn:ietf:params:oauth:token-type:access_token",
      actor_token_type: "urn:ietf:params:oauth:token-type:access_token",
      resource: running.url,
    });
    // Without a token of its own, the client's authentication says who acts.
    const plain = tokenExchange({ ...optionsOf(tokens), subjectToken: caller, audience: "other" });
    await plain.token();
    const { form } = tokens.asked.at(-1) ?? {};
    expect([form?.get("audience"), form?.has("actor_token")]).toEqual(["other", false]);
  });

  it("a caller whose token is no good gets no further", async () => {
    await using tokens = await AuthorizationServer.start();
    const auth = tokenExchange({ ...optionsOf(tokens), subjectToken: "a-token-of-nobody" });
    const error = await failure(auth.token());
    expect(error.reason).toBe("UNAUTHENTICATED");
    expect(error.message).toContain("invalid_request");
  });
});

describe("the endpoints of the authorization server", () => {
  it.each(["http://login.example.com/token", "ftp://127.0.0.1/", "https://a:b@login.example.com/", "token"])(
    "not %s",
    (tokenEndpoint) => {
      expect(() => clientCredentials({ tokenEndpoint, clientId: "c" })).toThrow("must be an https URL");
    },
  );

  it("nor one that its metadata name", async () => {
    await using tokens = await AuthorizationServer.start();
    tokens.takeover = ({ path }, response) => {
      if (!path.startsWith("/.well-known")) return false;
      send(response, 200, { issuer: tokens.url, token_endpoint: "http://169.254.169.254/token" });
      return true;
    };
    expect((await failure(clientCredentials(optionsOf(tokens)).token())).message).toContain(
      "must be an https URL",
    );
  });

  it("not a private one, where a guard says so", async () => {
    await using tokens = await AuthorizationServer.start();
    await using guard = networkGuard();
    const refused = clientCredentials({ ...optionsOf(tokens), fetch: guard.fetch });
    expect((await failure(refused.token())).reason).toBe("FORBIDDEN_TARGET");
    expect(tokens.asked).toHaveLength(0);
    await using open = networkGuard({ allow: ["127.0.0.1"] });
    expect(await clientCredentials({ ...optionsOf(tokens), fetch: open.fetch }).token()).toMatch(/^at-agent/);
  });

  it("no redirect, nothing that is too long, nothing that is too late", async () => {
    await using tokens = await AuthorizationServer.start();
    const auth = (more: object) => clientCredentials({ ...optionsOf(tokens), ...more });
    tokens.takeover = ({ path }, response) => {
      if (path !== "/token") return false;
      response.writeHead(307, { location: `${tokens.url}/elsewhere` }).end();
      return true;
    };
    expect((await failure(auth({}).token())).reason).toBe("HTTP");
    expect(tokens.asked.map(({ path }) => path)).not.toContain("/elsewhere");
    tokens.takeover = ({ path }, response) => {
      if (path !== "/token") return false;
      send(response, 200, { access_token: "x".repeat(70_000) });
      return true;
    };
    expect((await failure(auth({}).token())).reason).toBe("PAYLOAD_TOO_LARGE");
    tokens.takeover = ({ path }, response) => {
      if (path !== "/token") return false;
      response.writeHead(200, { "content-type": "application/json" }).write("{");
      return true;
    };
    expect((await failure(auth({ timeoutMs: 200 }).token())).reason).toBe("TIMEOUT");
    tokens.takeover = ({ path }) => path === "/token";
    expect((await failure(auth({ timeoutMs: 200 }).token())).reason).toBe("TIMEOUT");
  });
});
