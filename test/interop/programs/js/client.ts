import { parseArgs } from "node:util";
import { steps, type Binding, type ClientArgs, type Step, type Version } from "../../matrix/contract.js";
import type { Connect } from "./peer-client.js";
import { plainly } from "./reasons.js";
import { run } from "./steps.js";

/** The clients that this program can be: what each gives is a way to connect. */
const clients: Record<string, () => Promise<{ connectTo(args: ClientArgs): Connect }>> = {
  "js-1.3.0": () => import("./client-1.3.0.js"),
  "js-0.3.14": () => import("./client-0.3.14.js"),
  "pinned-1.0": () => import("./client-pinned-1.0.js"),
  connect: () => import("./client-connect.js"),
  "pinned-0.3": () => import("./client-pinned-0.3.js"),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: "string", default: "" },
    binding: { type: "string", default: "JSONRPC" },
    version: { type: "string", default: "1.0" },
    endpoint: { type: "string", default: "" },
    webhook: { type: "string", default: "" },
    steps: { type: "string", default: steps.join() },
  },
});
const args: ClientArgs = {
  ...values,
  binding: values.binding as Binding,
  version: values.version as Version,
  steps: values.steps.split(",") as Step[],
};

const load = clients[positionals[0] ?? ""];
if (!load) throw new Error(`No client "${positionals[0]}": one of ${Object.keys(clients).join(", ")}`);
const connect = (await load()).connectTo(args);

for (const step of args.steps) {
  const line = await connect()
    .then((client) => run[step]({ client, connect, webhook: args.webhook }))
    .then(
      (seen) => ({ step, seen }),
      (error: unknown) => ({ step, failed: plainly(error) }),
    );
  console.log(JSON.stringify(line));
}
// Some clients keep connections that nobody reads any more; all that was to be said has been.
process.exit(0);
