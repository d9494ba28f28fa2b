import { httpJson } from "../binding/http-json-client.js";
import { jsonRpc } from "../binding/json-rpc-client.js";
import { A2AError } from "../errors.js";
import type { MaybePromise } from "../store/types.js";
import { bridgedVersions, loadBridge } from "../versions/bridges.js";
import { agentCardTable, pivot, type AgentCard } from "../versions/pivot.js";
import type { CardInterface } from "./card/card-interface.js";
import { cardReply, type ReadCardReply } from "./card/card-reply.js";
import type { HttpOptions } from "./fetch-like.js";
import type { GrpcTarget } from "./grpc-opener.js";
import { readLegacyPayloads } from "./legacy-payloads.js";
import type { Transport } from "./transport.js";
import { withTenant } from "./with-tenant.js";

/** The bindings that a client over HTTP speaks. */
export const spokenBindings: readonly string[] = ["JSONRPC", "HTTP+JSON"];

/** The protocol versions that any client speaks, newest first. */
export const spokenVersions: readonly string[] = [pivot.version, ...bridgedVersions];

/** How an interface is called. */
export interface OpenOptions extends Omit<HttpOptions, "url"> {
  /** Keeps what parts of older versions have no place for (decision 13). */
  readonly stashMediaTypes?: boolean | undefined;
  /** Bytes are encoded twice by the agent (0.x over HTTP+JSON). */
  readonly doubleBase64?: boolean | undefined;
  /** Opens interfaces over gRPC; default: nobody does. */
  readonly grpc?: ((target: GrpcTarget) => MaybePromise<Transport>) | undefined;
  /** Reads the cards of replies; default: nobody looks at their signatures. */
  readonly readCard?: ReadCardReply | undefined;
}

/** What is needed to call an interface. */
export type Callable = Pick<
  CardInterface,
  "url" | "protocolBinding" | "protocolVersion" | "tenant" | "assumed"
>;

/**
 * A transport for calls in the newest version to one interface of an agent, whatever version that speaks. What older
 * versions need is loaded here, with the first interface of one.
 */
export async function openInterface(target: Callable, options: OpenOptions = {}): Promise<Transport> {
  const { url, protocolBinding: binding, protocolVersion: version, tenant, assumed } = target;
  const { stashMediaTypes, readCard: read = cardReply, grpc, ...http } = options;
  const own = { ...http, url };
  const wire = await openWire(binding, own, grpc);
  if (!wire) throw new A2AError("CONFIG", `${binding} is none of ${spokenBindings.join(", ")}`);
  const readCard = (raw: unknown): MaybePromise<AgentCard> => read(raw, url);
  if (version === pivot.version) {
    const [legacy = version] = bridgedVersions;
    const whole = readLegacyPayloads(wire, () => loadBridge(legacy));
    const reading = readCards(whole, readCard);
    return tenant === undefined ? reading : withTenant(reading, tenant);
  }
  const [bridge, { bridgeTransport }, { withOldExtendedCard }, { withOutputModes }] = await Promise.all([
    loadBridge(version),
    import("./bridge-transport.js"),
    import("./old-extended-card.js"),
    import("./with-output-modes.js"),
  ]);
  const bridged = bridgeTransport(assumed ? withOutputModes(wire) : wire, bridge, {
    conversion: { stashMediaTypes },
    readCard,
  });
  const methods = new Set([...bridge.byNearName.values()].map(({ near }) => near.output));
  // The extended card of 0.2 is a document of HTTP.
  const document = binding !== "GRPC" && (assumed || !methods.has(agentCardTable));
  return document ? withOldExtendedCard(bridged, own, readCard) : bridged;
}

/** The transport of a binding; undefined for one that nobody here speaks. */
function openWire(
  binding: string,
  own: HttpOptions & Pick<OpenOptions, "doubleBase64">,
  grpc: OpenOptions["grpc"],
): MaybePromise<Transport> | undefined {
  if (binding === "HTTP+JSON") return httpJson(own);
  if (binding === "JSONRPC") return jsonRpc(own);
  const { url: address, headers, maxEventBytes, maxBodyBytes, doubleBase64 } = own;
  return binding === "GRPC"
    ? grpc?.({ address, headers, maxEventBytes, maxBodyBytes, doubleBase64 })
    : undefined;
}

/** Cards in replies are read as leniently as those that are published. */
const readCards = (inner: Transport, readCard: (raw: unknown) => MaybePromise<AgentCard>): Transport => ({
  ...inner,
  async unary(request) {
    const reply = await inner.unary(request);
    return request.method.output === agentCardTable
      ? { ...reply, output: await readCard(reply.output) }
      : reply;
  },
});
