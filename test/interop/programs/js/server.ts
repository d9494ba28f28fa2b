import type { ServerLine } from "../../matrix/contract.js";

/** The servers that this program can be. */
const servers: Record<string, () => Promise<{ start(): Promise<ServerLine> }>> = {
  ours: () => import("./server-ours.js"),
  "js-1.3.0": () => import("./server-1.3.0.js"),
  "js-0.3.14": () => import("./server-0.3.14.js"),
};

const load = servers[process.argv[2] ?? ""];
if (!load) throw new Error(`No server "${process.argv[2]}": one of ${Object.keys(servers).join(", ")}`);
console.log(JSON.stringify(await (await load()).start()));

// Whoever started this program ends it by closing its input, also by dying.
process.stdin.resume().on("end", () => process.exit(0));
