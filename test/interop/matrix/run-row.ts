import { steps, type Step, type StepLine } from "./contract.js";
import { expected } from "./expect.js";
import { judge, type Verdict } from "./judge.js";
import { knownOf } from "./known.js";
import type { Row } from "./peers.js";
import { runClient } from "./run-client.js";
import type { RunningServer } from "./start-server.js";
import type { Webhooks } from "./webhooks.js";

/** What came of one step of one row. */
export interface Result {
  readonly step: Step;
  readonly verdict: Verdict;
  readonly line?: StepLine;
  readonly ms: number;
}

/** Runs the client of a row against its server and judges every step, in their order. */
export async function runRow(
  row: Row,
  client: readonly string[],
  server: RunningServer,
  webhooks: Webhooks,
): Promise<Result[]> {
  const { binding, version } = row;
  const endpoint = server.endpoints.find((one) => one.binding === binding && one.version === version);
  if (!endpoint) throw new Error(`${row.server} has no endpoint for ${binding} ${version}`);
  const offered = steps.filter((step) => !("notOffered" in expected(step, version, binding)));
  const lines = await runClient(client, {
    url: server.url,
    binding,
    version,
    endpoint: endpoint.url,
    webhook: webhooks.url(),
    steps: offered,
  });
  return steps.map((step) => {
    const line = lines.find((said) => said.step === step);
    const said: StepLine = line ?? { step, seen: {} };
    return {
      step,
      verdict: judge(row, said, knownOf(row, step)),
      ...(line ? { line } : {}),
      ms: line?.ms ?? 0,
    };
  });
}
