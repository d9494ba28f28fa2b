import { decode, type Leniency, type Problem } from "../codec/decode.js";
import { tolerant } from "../codec/tolerant.js";
import type { Infer, ServiceDescriptor } from "../descriptor.js";
import { A2AError } from "../errors.js";
import { pivot, type AgentCard } from "../versions/pivot.js";
import { readAgentCard } from "./card/read-agent-card.js";
import { findCard, type FindCardOptions, type FoundCard } from "./find-card.js";
import { excerpt } from "./http-error.js";
import { parseJson } from "./parse-json.js";
import { parseUrl, publicUrl } from "./public-url.js";
import { startRun } from "./run.js";

/** Options of `fetchAgentCard`. */
export interface CardOptions extends FindCardOptions {
  readonly signal?: AbortSignal | undefined;
  /** In ms, for all attempts together; default 60,000, 0 for none. */
  readonly timeoutMs?: number | undefined;
  /** The protocol version whose card is wanted, in its shape; default: whatever the agent has, in the newest shape. */
  readonly service?: ServiceDescriptor | undefined;
  /** Default `tolerant`: reads what sloppy agents write and tells `onProblem`. */
  readonly mode?: "strict" | Leniency | undefined;
  readonly onProblem?: ((problem: Problem) => void) | undefined;
}

/**
 * The agent card of an agent, found as `connect` finds it. Throws `HTTP` where there is none, `DECODE` where it is no
 * card.
 */
export function fetchAgentCard<S extends ServiceDescriptor>(
  url: string,
  options: CardOptions & { readonly service: S },
): Promise<Infer<S["card"]["table"]>>;
export function fetchAgentCard(url: string, options?: CardOptions): Promise<AgentCard>;
export async function fetchAgentCard(url: string, options: CardOptions = {}): Promise<unknown> {
  const { service = pivot } = options;
  const run = startRun("fetchAgentCard", options.timeoutMs ?? 60_000, options.signal);
  try {
    const wanted = { version: service.version, service };
    const found = await run.guard(findCard(parseUrl(url), wanted, options, run.signal));
    return decodeCard(found, options);
  } finally {
    run.release();
  }
}

function decodeCard({ text, at }: FoundCard, { service, mode = tolerant, onProblem }: CardOptions): unknown {
  if (service === undefined && mode === tolerant) {
    const { card, problems } = readAgentCard(text, { url: at.href });
    for (const problem of problems) onProblem?.(problem);
    return card;
  }
  const json = parseJson(text);
  if (json === undefined) throw new A2AError("DECODE", `${publicUrl(at)} is not JSON${excerpt(text)}`);
  const problems: Problem[] = [];
  const card: unknown = decode<unknown>((service ?? pivot).card.table, json, {
    direction: "reply",
    mode: mode === "strict" ? undefined : mode,
    problems,
  });
  for (const problem of problems) onProblem?.(problem);
  return card;
}
