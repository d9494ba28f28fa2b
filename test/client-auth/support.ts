import type { AuthOptions } from "../../src/auth/types.js";
import { bearer } from "../../src/auth.js";
import { serve, type RunningServer, type ServeOptions } from "../../src/server.js";
import { agentOf, quiet } from "../server/agents.js";
import type { AuthorizationServer } from "./authorization-server.js";

/** An agent that says who calls, for callers with credentials. */
export const secured = (auth: AuthOptions, more: Partial<ServeOptions> = {}): Promise<RunningServer> =>
  serve(
    agentOf(async (ctx) => `you are ${typeof ctx.principal === "string" ? ctx.principal : "nobody"}`),
    { port: 0, logger: quiet, auth, ...more },
  );

/** An agent that takes the tokens of an authorization server, with scopes where asked for. */
export const resource = (tokens: AuthorizationServer, scopes?: readonly string[]): Promise<RunningServer> =>
  secured({
    schemes: { login: bearer(tokens.verify) },
    ...(scopes && { requirements: [{ schemes: { login: { list: [...scopes] } } }] }),
  });
