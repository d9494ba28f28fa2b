/** One run of a kit: what the agent can do, and which tests it is for. */
export interface KitRun {
  readonly name: string;
  /** Arguments of the agent. */
  readonly agent: readonly string[];
  /** Arguments of the kit's runner, besides the URL. */
  readonly kit: readonly string[];
  /** Environment of the kit's runner. */
  readonly env?: Readonly<Record<string, string>>;
  readonly about: string;
}

/** Arguments of pytest itself stand behind `--`. */
const bindings = ["--transport", "jsonrpc,http_json,grpc", "--"];

/** The runs of the kit for 1.0: its tests exclude each other, so that no single agent can pass them all. */
export const runs10: readonly KitRun[] = [
  { name: "A", agent: [], kit: bindings, about: "streaming" },
  { name: "B", agent: ["--push"], kit: bindings, about: "streaming and webhooks" },
  {
    name: "C",
    agent: ["--no-streaming"],
    // Its streaming tests break where they are refused.
    kit: [...bindings, "-m", "not streaming"],
    about: "neither",
  },
  {
    name: "D",
    agent: ["--required-extension"],
    // Every other test calls without the extension.
    kit: [...bindings, "-k", "CapabilityExtensionRequired"],
    about: "a required extension",
  },
].map((run) => ({ ...run, agent: ["--versions", "1.0", ...run.agent] }));

/** The runs of the kit for 0.3: each category over each binding. */
export const runs03: readonly KitRun[] = ["jsonrpc", "rest", "grpc"].flatMap((transport) =>
  ["mandatory", "capabilities", "quality", "features"].map((category) => ({
    name: `${category}-${transport}`,
    agent: ["--versions", "0.3", "--push"],
    kit: ["--category", category],
    // Not `--transports`: with it the runner leaves out a third of the mandatory tests unless JSON-RPC is named.
    env: { A2A_REQUIRED_TRANSPORTS: transport },
    about: `${category} over ${transport}`,
  })),
);
