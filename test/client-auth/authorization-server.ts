/** A real authorization server on a loopback address, for tests: OAuth 2 as the RFCs have it, and what a test makes of it. */
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Identity } from "../../src/auth/types.js";

/** One request as it came. */
export interface Asked {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly form: URLSearchParams;
}

/** Answers instead of the server; false leaves it to the server. */
export type Takeover = (asked: Asked, response: ServerResponse) => boolean | Promise<boolean>;

interface Granted {
  readonly identity: Identity;
  readonly until: number;
}

/** A server, its clients, and what it has given. */
export class AuthorizationServer implements AsyncDisposable {
  readonly asked: Asked[] = [];
  /** Access tokens that are good. */
  readonly access = new Map<string, Granted>();
  readonly #refresh = new Map<string, string>();
  readonly #codes = new Map<string, { challenge: string; redirectUri: string; scope: string }>();
  readonly #devices = new Map<string, { approved: boolean; polls: number }>();
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  /** Seconds that access tokens live; undefined: the server does not say, and they do not end. */
  expiresIn: number | undefined = 3600;
  /** Answers of the device grant before the one with a token. */
  deviceAnswers: string[] = [];
  /** Whether refresh tokens are given. */
  refreshes = true;
  takeover: Takeover | undefined;
  /** What tests move time by, in ms. */
  shift = 0;
  /** Who the clients of this server are. */
  readonly secrets = new Map([["agent", "agent-secret-0123456789"]]);

  static async start(): Promise<AuthorizationServer> {
    const own = new AuthorizationServer();
    own.#server.listen(0, "127.0.0.1");
    await once(own.#server, "listening");
    return own;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  now = (): number => Date.now() + this.shift;

  /** Requests to the token endpoint, by grant. */
  grants(): string[] {
    return this.asked.flatMap(({ path, form }) => (path === "/token" ? [form.get("grant_type") ?? ""] : []));
  }

  /** For `bearer(…)` of the agent: whose a token is. */
  verify = (token: string): Identity | undefined => {
    const granted = this.access.get(token);
    return granted && granted.until > this.now() ? granted.identity : undefined;
  };

  /** The user follows the link and agrees: the URL that they come back with. */
  approve = async (url: URL): Promise<URL> => {
    const response = await fetch(url, { redirect: "manual" });
    return new URL(response.headers.get("location") ?? "");
  };

  issue(principal: string, scope = ""): string {
    const token = `at-${principal}-${randomUUID()}`;
    const until = this.expiresIn === undefined ? Infinity : this.now() + this.expiresIn * 1000;
    this.access.set(token, { identity: { principal, scopes: scope.split(" ") }, until });
    return token;
  }

  revokeAll(): void {
    this.access.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "", this.url);
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const asked = { path: url.pathname, headers: request.headers, form: new URLSearchParams(body) };
    this.asked.push(asked);
    if (await this.takeover?.(asked, response)) return;
    if (asked.path === "/.well-known/oauth-authorization-server") {
      this.#metadata(response);
      return;
    }
    if (asked.path === "/authorize") {
      this.#authorize(url.searchParams, response);
      return;
    }
    if (!this.#isClient(asked)) {
      fail(response, 401, "invalid_client");
      return;
    }
    if (asked.path === "/device") {
      this.#device(response);
      return;
    }
    if (asked.path === "/token") {
      this.#token(asked.form, response);
      return;
    }
    fail(response, 404, "invalid_request");
  }

  #metadata(response: ServerResponse): void {
    send(response, 200, {
      issuer: this.url,
      token_endpoint: `${this.url}/token`,
      authorization_endpoint: `${this.url}/authorize`,
      device_authorization_endpoint: `${this.url}/device`,
    });
  }

  #isClient({ headers, form }: Asked): boolean {
    const basic = /^Basic (.+)$/.exec(headers.authorization ?? "")?.[1];
    if (basic !== undefined) {
      const [id = "", secret = ""] = Buffer.from(basic, "base64")
        .toString()
        .split(":")
        .map(decodeURIComponent);
      return this.secrets.get(id) === secret;
    }
    const id = form.get("client_id") ?? "";
    return (
      id === "public" || (form.has("client_secret") && this.secrets.get(id) === form.get("client_secret"))
    );
  }

  #authorize(query: URLSearchParams, response: ServerResponse): void {
    const redirectUri = query.get("redirect_uri") ?? "";
    if (query.get("code_challenge_method") !== "S256" || query.get("response_type") !== "code") {
      fail(response, 400, "invalid_request");
      return;
    }
    const code = randomUUID();
    this.#codes.set(code, {
      challenge: query.get("code_challenge") ?? "",
      redirectUri,
      scope: query.get("scope") ?? "",
    });
    const back = new URL(redirectUri);
    back.searchParams.set("code", code);
    back.searchParams.set("state", query.get("state") ?? "");
    back.searchParams.set("iss", this.url);
    response.writeHead(302, { location: back.href }).end();
  }

  #device(response: ServerResponse): void {
    const code = randomUUID();
    this.#devices.set(code, { approved: false, polls: 0 });
    send(response, 200, {
      device_code: code,
      user_code: "ABCD-EFGH",
      verification_uri: `${this.url}/link`,
      expires_in: 600,
      interval: 0.01,
    });
  }

  #token(form: URLSearchParams, response: ServerResponse): void {
    const grant = form.get("grant_type");
    const scope = form.get("scope") ?? "";
    if (grant === "client_credentials") {
      this.#give(response, "agent", scope, false);
      return;
    }
    if (grant === "authorization_code") {
      const code = this.#codes.get(form.get("code") ?? "");
      this.#codes.delete(form.get("code") ?? "");
      const challenge = createHash("sha256")
        .update(form.get("code_verifier") ?? "")
        .digest("base64url");
      if (code?.challenge !== challenge || code.redirectUri !== form.get("redirect_uri")) {
        fail(response, 400, "invalid_grant");
        return;
      }
      this.#give(response, "user", code.scope, true);
      return;
    }
    if (grant === "refresh_token") {
      const owner = this.#refresh.get(form.get("refresh_token") ?? "");
      // Each one is good for once.
      this.#refresh.delete(form.get("refresh_token") ?? "");
      if (owner === undefined) {
        fail(response, 400, "invalid_grant");
        return;
      }
      this.#give(response, owner, scope, true);
      return;
    }
    if (grant === "urn:ietf:params:oauth:grant-type:device_code") {
      const next = this.deviceAnswers.shift();
      if (!this.#devices.has(form.get("device_code") ?? "")) {
        fail(response, 400, "invalid_grant");
        return;
      }
      if (next !== undefined) {
        fail(response, 400, next);
        return;
      }
      this.#give(response, "user", scope, true);
      return;
    }
    if (grant === "urn:ietf:params:oauth:grant-type:token-exchange") {
      const subject = this.verify(form.get("subject_token") ?? "");
      const actor = form.has("actor_token") ? this.verify(form.get("actor_token") ?? "") : undefined;
      if (subject === undefined || (form.has("actor_token") && actor === undefined)) {
        fail(response, 400, "invalid_request");
        return;
      }
      const who = `${nameOf(subject)} through ${nameOf(actor)} at ${String(form.get("resource"))}`;
      send(response, 200, {
        access_token: this.issue(who, scope),
        issued_token_type: form.get("requested_token_type"),
        token_type: "Bearer",
        expires_in: this.expiresIn,
      });
      return;
    }
    fail(response, 400, "unsupported_grant_type");
  }

  #give(response: ServerResponse, principal: string, scope: string, withRefresh: boolean): void {
    const refresh = `rt-${randomUUID()}`;
    if (withRefresh && this.refreshes) this.#refresh.set(refresh, principal);
    send(response, 200, {
      access_token: this.issue(principal, scope),
      token_type: "Bearer",
      expires_in: this.expiresIn,
      // Nobody asked for it, and nobody may stumble over it.
      id_token: "not.a.token",
      ...(withRefresh && this.refreshes && { refresh_token: refresh }),
    });
  }
}

const nameOf = (identity: Identity | undefined): string =>
  typeof identity?.principal === "string" ? identity.principal : "agent";

/** A JSON answer. */
export function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

const fail = (response: ServerResponse, status: number, error: string): void => {
  send(response, status, { error, error_description: "It is not to be." });
};
