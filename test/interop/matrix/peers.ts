import type { Binding, Version } from "./contract.js";

/** An SDK that is not ours, in one version. */
export interface Peer {
  readonly id: string;
  readonly language: "js" | "python" | "go";
  /** Bindings it speaks, each in each of its versions. */
  readonly bindings: readonly Binding[];
  readonly versions: readonly Version[];
}

const all: readonly Binding[] = ["JSONRPC", "HTTP+JSON", "GRPC"];

/** The peers, by name and version; what each cannot do is said in `known.json`. */
export const peers: readonly Peer[] = [
  { id: "js-1.3.0", language: "js", bindings: all, versions: ["1.0", "0.3"] },
  { id: "js-0.3.14", language: "js", bindings: all, versions: ["0.3"] },
  { id: "python-1.3.0", language: "python", bindings: all, versions: ["1.0", "0.3"] },
  { id: "python-0.3.26", language: "python", bindings: all, versions: ["0.3"] },
  { id: "go-2.3.1", language: "go", bindings: all, versions: ["1.0", "0.3"] },
];

/** Who speaks to whom, and how: one line of the table. */
export interface Row {
  readonly peer: Peer;
  /** The program that is the client, and the one that is the server: one of them is the peer's. */
  readonly client: string;
  readonly server: string;
  readonly binding: Binding;
  readonly version: Version;
}

/** Our clients, by program, and the versions that each speaks to. */
const ourClients: Readonly<Record<Version, readonly string[]>> = {
  "1.0": ["pinned-1.0", "connect"],
  "0.3": ["pinned-0.3", "connect"],
};

/** Every line of the table: each peer as client of our server, then as server of each of our clients. */
export const rows: readonly Row[] = peers.flatMap((peer) => {
  const ways = peer.versions.flatMap((version) => peer.bindings.map((binding) => ({ binding, version })));
  return [
    ...ways.map((way) => ({ peer, client: peer.id, server: "ours", ...way })),
    ...ways.flatMap((way) =>
      ourClients[way.version].map((client) => ({ peer, client, server: peer.id, ...way })),
    ),
  ];
});

/** What is asked for to see who is right: every peer as client of one peer's server. */
export const rowsAgainst = (server: Peer): readonly Row[] =>
  peers.flatMap((peer) =>
    server.versions
      .filter((version) => peer.versions.includes(version))
      .flatMap((version) =>
        server.bindings.map((binding) => ({ peer, client: peer.id, server: server.id, binding, version })),
      ),
  );

/** A line's name. */
export const nameOf = ({ client, server, binding, version }: Row): string =>
  `${client} → ${server} ${binding} ${version}`;
