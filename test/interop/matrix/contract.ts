/** The bindings of the protocol. */
export type Binding = "JSONRPC" | "HTTP+JSON" | "GRPC";

/** The protocol versions that peers speak. */
export type Version = "1.0" | "0.3";

/** What every client does with every server, in this order. */
export const steps = [
  "card",
  "send",
  "message",
  "stream",
  "history",
  "list",
  "input",
  "cancel",
  "subscribe",
  "push",
  "unknown",
  "version",
] as const;

/** One of them. */
export type Step = (typeof steps)[number];

/** What a step saw, in words that no version and no SDK owns: plain strings, numbers, booleans, lists of them. */
export type Seen = Readonly<Record<string, unknown>>;

/** One line of a client program: what the step saw, or why it broke off. */
export type StepLine =
  { readonly step: Step; readonly seen: Seen } | { readonly step: Step; readonly failed: string };

/** An endpoint of a server program. */
export interface Endpoint {
  readonly binding: Binding;
  readonly version: Version;
  readonly url: string;
}

/** The first line of a server program: where its card is found, and what it serves. */
export interface ServerLine {
  readonly url: string;
  readonly endpoints: readonly Endpoint[];
}

/** What a client program is told on its command line. */
export interface ClientArgs {
  /** Base URL, below which the card is. */
  readonly url: string;
  readonly binding: Binding;
  readonly version: Version;
  /** The endpoint of that binding and version, for clients that read no card. */
  readonly endpoint: string;
  /** A receiver of webhooks: POST delivers, GET waits for the delivery of a finished task and tells about it. */
  readonly webhook: string;
  readonly steps: readonly Step[];
}
