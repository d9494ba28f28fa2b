import { readFileSync } from "node:fs";
import { A2AError } from "../errors.js";
import { authProblem, type AgentAuth } from "./agent-auth-config.js";
import { isRecord } from "./is-record.js";

/** How an agent is reached. */
export interface AgentConfig {
  /** URL of the agent or of its card. */
  readonly url: string;
  /** Sent with every request to the origin of `url`. */
  readonly custom_headers?: Readonly<Record<string, string>>;
  /** Other origins that get the headers, where the card names an interface there: `https://api.example.com`. */
  readonly header_origins?: readonly string[];
  /** Credentials, by the names of environment variables: `{ "bearer": { "env": "TOKEN" } }`. They go where the headers go. */
  readonly auth?: AgentAuth | undefined;
}

/** Agents by the ids that a model knows them by. */
export type AgentsConfig = Readonly<Record<string, AgentConfig>>;

/** Reads agents from an object or a JSON file. Throws `CONFIG` and says which entry is wrong; never what is in it. */
export function readAgentsConfig(agents: AgentsConfig | string | null | undefined): Map<string, AgentConfig> {
  if (agents === null || agents === undefined) return new Map();
  const where = typeof agents === "string" ? `${agents}: ` : "agents: ";
  const value = typeof agents === "string" ? readJson(agents) : agents;
  if (!isRecord(value)) throw problem(where, `must be an object: { "agent-id": { "url": "https://…" } }`);
  return new Map(Object.entries(value).map(([id, config]) => [id, readAgent(`${where}${id}`, config)]));
}

/** One entry, checked. */
export function readAgent(where: string, config: unknown): AgentConfig {
  if (!isRecord(config)) throw problem(where, `must be an object with a url`);
  const unknown = Object.keys(config).find((name) => !KNOWN.includes(name));
  if (unknown !== undefined) throw problem(where, `has no member ${unknown}; there are ${KNOWN.join(", ")}`);
  const { url, custom_headers: headers = {}, header_origins: origins = [], auth } = config;
  if (typeof url !== "string" || !/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw problem(where, "url must be an http or https URL");
  }
  if (!isTextRecord(headers)) throw problem(where, "custom_headers must be an object of texts");
  if (!isTextList(origins)) throw problem(where, "header_origins must be a list of origins");
  const wrong = auth === undefined ? undefined : authProblem(auth);
  if (wrong !== undefined) throw problem(where, wrong);
  return {
    url,
    custom_headers: headers,
    header_origins: origins,
    // Looked at by `authProblem`.
    ...(auth !== undefined && { auth: auth as AgentAuth }),
  };
}

const KNOWN: readonly string[] = ["url", "custom_headers", "header_origins", "auth"];

function readJson(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw problem(path, "cannot be read", error);
  }
  try {
    return JSON.parse(text);
  } catch {
    // What a parser says quotes the text, and with it secrets.
    throw problem(path, "is not JSON");
  }
}

const isTextRecord = (value: unknown): value is Readonly<Record<string, string>> =>
  isRecord(value) && Object.values(value).every((one) => typeof one === "string");

const isTextList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");

const problem = (where: string, what: string, cause?: unknown): A2AError =>
  new A2AError("CONFIG", `${where.replace(/: $/, "")} ${what}`, { cause });
