import { closeSync, openSync } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import { startChild } from "../matrix/children.js";
import { readJunit, type TestOutcome } from "./junit.js";
import type { KitRun } from "./kit-runs.js";
import { startAgent } from "./start-agent.js";

/** What a run needs besides its own description. */
export interface KitPlace {
  /** Folder of the kit, or of a changed copy. */
  readonly kit: string;
  /** Its interpreter. */
  readonly python: string;
  readonly line: "1.0" | "0.3";
  /** Program of the agent, and arguments for every run. */
  readonly agent: string;
  readonly agentArgs: readonly string[];
  /** Where `NAME.xml` and `NAME.log` are put. */
  readonly out: string;
}

/** Starts the agent, has the kit test it, and reads what came out. */
export async function runKit(run: KitRun, place: KitPlace): Promise<TestOutcome[]> {
  const agent = await startAgent(place.agent, [...run.agent, ...place.agentArgs]);
  const junit = join(place.out, `${run.name}.xml`);
  const log = openSync(join(place.out, `${run.name}.log`), "w");
  try {
    const own = place.line === "1.0" ? ["--sut-host", agent.url] : ["--sut-url", agent.url];
    const report = `--junitxml=${junit}`;
    const child = startChild(
      [place.python, "run_tck.py", ...own, ...run.kit, ...(place.line === "1.0" ? [report] : [])],
      {
        cwd: place.kit,
        stdio: ["ignore", log, log],
        // The runner for 0.3 hands nothing through to pytest.
        env: { ...process.env, ...run.env, ...(place.line === "0.3" && { PYTEST_ADDOPTS: report }) },
      },
    );
    await once(child, "close");
    return readJunit(junit);
  } finally {
    closeSync(log);
    await agent.stop();
  }
}
