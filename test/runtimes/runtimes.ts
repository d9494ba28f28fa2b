import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RuntimePackage } from "./install.js";

/** A runtime that is no Node, and how it serves the example that is written for it. */
export interface Runtime {
  readonly name: string;
  /** Source under `examples/runtimes/`. */
  readonly example: string;
  /** Undefined where there is none for this machine. */
  readonly package: RuntimePackage | undefined;
  /** The command; `files` are the bundle of the example in `folder`, its entry first. */
  command(binary: string, folder: string, files: readonly string[], port: number): readonly string[];
}

const platform = `${process.platform}-${process.arch}`;
const packageOf = (
  names: Readonly<Record<string, string>>,
  version: string,
  binary: string,
): RuntimePackage | undefined => {
  const name = names[platform];
  return name === undefined ? undefined : { name, version, binary };
};

export const runtimes: readonly Runtime[] = [
  {
    name: "Bun",
    example: "bun",
    package: packageOf(
      {
        "linux-x64": "@oven/bun-linux-x64",
        "linux-arm64": "@oven/bun-linux-aarch64",
        "darwin-x64": "@oven/bun-darwin-x64",
        "darwin-arm64": "@oven/bun-darwin-aarch64",
      },
      "1.4.5",
      "bin/bun",
    ),
    command: (binary, folder, [entry = ""]) => [binary, join(folder, entry)],
  },
  {
    name: "Deno",
    example: "deno",
    package: packageOf(
      {
        "linux-x64": "@deno/linux-x64-glibc",
        "linux-arm64": "@deno/linux-arm64-glibc",
        "darwin-x64": "@deno/darwin-x64",
        "darwin-arm64": "@deno/darwin-arm64",
      },
      "2.9.6",
      "deno",
    ),
    command: (binary, folder, [entry = ""]) => [
      ...[binary, "run", "--no-prompt", "--allow-net", "--allow-env=PORT"],
      join(folder, entry),
    ],
  },
  {
    name: "workerd",
    example: "worker",
    package: packageOf(
      {
        "linux-x64": "@cloudflare/workerd-linux-64",
        "linux-arm64": "@cloudflare/workerd-linux-arm64",
        "darwin-x64": "@cloudflare/workerd-darwin-64",
        "darwin-arm64": "@cloudflare/workerd-darwin-arm64",
      },
      "1.20261117.1",
      "bin/workerd",
    ),
    command(binary, folder, files, port) {
      const config = join(folder, "worker.capnp");
      writeFileSync(config, workerConfig(files, port));
      return [binary, "serve", config];
    },
  },
];

/** Without `nodejs_compat`: whatever the agent loads must run without a module of Node. */
const workerConfig = (files: readonly string[], port: number): string => `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]
);
const worker :Workerd.Worker = (
  modules = [${files.map((file) => `(name = "${file}", esModule = embed "${file}")`).join(", ")}],
  compatibilityDate = "2026-01-01",
  durableObjectNamespaces = [(className = "AgentObject", uniqueKey = "agent")],
  durableObjectStorage = (inMemory = void),
  bindings = [
    (name = "URL", text = "http://127.0.0.1:${port}"),
    (name = "AGENT", durableObjectNamespace = "AgentObject")
  ]
);
`;
