import type { Headers } from "../call.js";
import { quote } from "../codec/reader.js";
import { tolerant } from "../codec/tolerant.js";
import { A2AError } from "../errors.js";
import { pivot, type AgentCard } from "../versions/pivot.js";
import { createAgent, type Agent, type AgentFacts } from "./agent.js";
import { canonicalBinding } from "./card/binding-name.js";
import type { CardInterface } from "./card/card-interface.js";
import { interfacePlace } from "./card/interface-place.js";
import { readAgentCard, type ReadCard } from "./card/read-agent-card.js";
import { incompatible, rankInterfaces, type SelectOptions } from "./card/select-interface.js";
import { compareVersions, majorMinor } from "./card/version-name.js";
import { documentOf, withKnownSchemes } from "./card/card-reply.js";
import { trustedCard, type TrustedCard } from "./card-trust.js";
import { openAccess, type Access } from "./connect-access.js";
import { checkConnectOptions, type ConnectOptions } from "./connect-options.js";
import { encoded } from "./client-extension.js";
import type { ClientWarning } from "./client-types.js";
import { createClient } from "./create-client.js";
import { fallbackTransport, type Opener } from "./fallback-transport.js";
import type { FetchLike } from "./fetch-like.js";
import { findCard } from "./find-card.js";
import { followExtensions } from "./follow-extensions.js";
import { headerDeadline } from "./header-deadline.js";
import { openInterface, spokenBindings, spokenVersions } from "./open-interface.js";
import { parseUrl } from "./public-url.js";
import { retryCalls } from "./retry-calls.js";
import { startRun } from "./run.js";

/**
 * Connects to an agent of any version: finds its card (`https://agent.example.com`, the URL of the card, or the card
 * itself), reads it, picks an interface, and gives a client that speaks the newest shapes whatever the agent speaks.
 * Throws `HTTP` where there is no card, `DECODE` where it is none, `NO_COMPATIBLE_INTERFACE` where none of its interfaces
 * can be used, `CARD_NOT_TRUSTED` where its signatures do not do, `FORBIDDEN_TARGET` where `guard` refuses, `CONFIG` for an option that does not exist. Never speaks a version that is not in `versions`.
 */
export async function connect(target: string | URL | object, options: ConnectOptions = {}): Promise<Agent> {
  checkConnectOptions(options);
  const select = spoken(options);
  const access = await openAccess(options);
  const read = await readTarget(target, select.versions, options, access);
  const home =
    typeof target === "string" || target instanceof URL ? parseUrl(String(target)).origin : undefined;
  access.enter(read.card);
  const interfaces = await access.check(
    read.interfaces.map((one) => withheld(withPlace(one), home, options)),
  );
  const [first, ...others] = rankInterfaces(interfaces, select);
  if (first === undefined) throw incompatible(interfaces, select);

  const ranked = options.fallback ? [first, ...others] : [first];
  const { headersTimeoutMs } = options;
  const limited = (send: FetchLike): FetchLike =>
    headersTimeoutMs === undefined ? send : headerDeadline(send, headersTimeoutMs);
  let extended: TrustedCard | undefined;
  const readCard = async (raw: unknown, base: string): Promise<AgentCard> => {
    extended = await trustedCard(readAgentCard(documentOf(raw), { base }), options, { base });
    return withKnownSchemes(extended.card);
  };
  const opener =
    (one: CardInterface): Opener =>
    () =>
      openInterface(one, {
        ...(one.protocolBinding === "GRPC"
          ? { grpc: options.grpc && access.openGrpc.bind(access, options.grpc) }
          : { fetch: access.fetchFor(one.url, limited) }),
        headers: options.headers,
        maxEventBytes: options.maxEventBytes,
        maxBodyBytes: options.maxBodyBytes,
        stashMediaTypes: options.stashMediaTypes,
        doubleBase64: options.doubleBase64,
        readCard,
      });
  const transport = options.fallback
    ? fallbackTransport([opener(first), ...others.map(opener)])
    : { ...(await opener(first)()), current: 0 };
  const current = (): CardInterface => ranked[transport.current] ?? first;
  const extensions = (options.extensions ?? []).map((one) => (typeof one === "string" ? { uri: one } : one));
  const onWarning =
    options.onWarning && ((warning: ClientWarning) => options.onWarning?.(access.clean(warning)));
  const client = createClient(pivot, transport, {
    mode: tolerant,
    timeoutMs: options.timeoutMs,
    extensions: extensions.map(({ uri }) => encoded(uri)),
    interceptors: [
      ...(options.interceptors ?? []),
      followExtensions(() => agent.card, extensions),
      ...(options.retry === false ? [] : [retryCalls(options.retry)]),
      ...access.interceptors,
    ],
    onWarning: (warning) => {
      // 0.x streams need not begin with the task.
      const legal = warning.code === "stream-start" && current().protocolVersion !== pivot.version;
      if (!legal) onWarning?.(warning);
    },
  });
  const { card, document, signature, problems } = read;
  const facts: AgentFacts = {
    card,
    cardUrl: read.at?.href,
    document,
    signature,
    problems,
    interfaces,
    get interface() {
      return current();
    },
    get protocolVersion() {
      return current().protocolVersion;
    },
  };
  const agent = createAgent(client, facts, {
    timeoutMs: options.timeoutMs,
    onWarning,
    extended: () => extended,
    keepsContexts: () =>
      (options.otherContext ?? (current().protocolVersion === pivot.version ? "refuse" : "accept")) ===
      "refuse",
  });
  return agent;
}

/** The choices of the caller, narrowed to what any client speaks; `CONFIG` for what none does. */
function spoken(options: ConnectOptions): SelectOptions & { readonly versions: readonly string[] } {
  const all = options.grpc === undefined ? spokenBindings : [...spokenBindings, "GRPC"];
  const { bindings = all, versions = spokenVersions, prefer } = options;
  const known = (
    name: string,
    given: readonly string[] | string,
    read: (one: string) => string | undefined,
    all: readonly string[],
  ) => {
    // A text has neither `find` nor an order; callers in JavaScript try it.
    if (typeof given === "string")
      throw new A2AError("CONFIG", `${name}: expected a list, found ${quote(given)}`);
    const unknown = given.find((one) => !all.includes(read(one) ?? ""));
    if (unknown === undefined && given.length > 0) return;
    const hint = read(unknown ?? "") === "GRPC" ? '; for it give the option grpc, from "a2a-typed/grpc"' : "";
    throw new A2AError(
      "CONFIG",
      `${name}: ${unknown ?? "an empty list"} is none of ${all.join(", ")}${hint}`,
    );
  };
  known("bindings", bindings, canonicalBinding, all);
  known("versions", versions, majorMinor, spokenVersions);
  return { bindings, versions, prefer };
}

type ReadTarget = TrustedCard & { readonly at: URL | undefined };

async function readTarget(
  target: string | URL | object,
  versions: readonly string[],
  options: ConnectOptions,
  access: Access,
): Promise<ReadTarget> {
  const trusted = async (read: ReadCard, at: URL | undefined): Promise<ReadTarget> => ({
    ...(await trustedCard(read, options, { url: at?.href })),
    at,
  });
  if (typeof target !== "string" && !(target instanceof URL)) {
    const at = options.cardUrl === undefined ? undefined : parseUrl(options.cardUrl);
    return trusted(readAgentCard(target, { url: at?.href }), at);
  }
  // Agents may have a card for each version: the newest that may be spoken is asked for.
  const newest = versions
    .map((one) => majorMinor(one) ?? one)
    .sort(compareVersions)
    .at(-1);
  const wanted = { version: newest ?? pivot.version, service: pivot };
  const run = startRun("connect", options.discoveryTimeoutMs ?? 60_000, options.signal);
  try {
    const url = parseUrl(String(target));
    const finding = access.find(url, run.signal, async (fetch) => {
      const { text, at } = await findCard(url, wanted, { ...options, fetch }, run.signal);
      return trusted(readAgentCard(text, { url: at.href }), at);
    });
    return await run.guard(finding);
  } finally {
    run.release();
  }
}

/** An address of gRPC that nobody could call is told here: only who speaks it reads it. */
function withPlace(one: CardInterface): CardInterface {
  const wrong = one.usable && one.protocolBinding === "GRPC" && interfacePlace(one) === undefined;
  return wrong ? { ...one, usable: false, problem: "not an address of gRPC; expected host:port" } : one;
}

/** An interface on another origin is not called with headers that were meant for the agent that the caller named. */
function withheld(one: CardInterface, home: string | undefined, options: ConnectOptions): CardInterface {
  const { headers = {}, headerOrigins = [], auth } = options;
  const shows = auth !== undefined || hasMembers(headers);
  const place = interfacePlace(one);
  if (!one.usable || home === undefined || !shows || place === undefined) return one;
  const { origin } = place;
  const trusted = [home, ...headerOrigins.map((other) => parseUrl(other).origin)];
  if (trusted.includes(origin)) return one;
  const problem = `is on another origin than ${home}, which alone gets your ${auth === undefined ? "headers" : "credentials"}; name ${origin} in headerOrigins`;
  return { ...one, usable: false, problem };
}

const hasMembers = (headers: Headers): boolean => Object.keys(headers).length > 0;
