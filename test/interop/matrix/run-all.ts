import { install, jsPrograms, type Programs, type Unavailable } from "./install.js";
import { createLimit } from "./limit.js";
import { once } from "./once.js";
import { nameOf, peers, type Row } from "./peers.js";
import { runRow } from "./run-row.js";
import { startServer, type RunningServer } from "./start-server.js";
import type { RowReport } from "./table.js";
import { openWebhooks } from "./webhooks.js";

/** Installs what the rows need, runs them, and reports in their order; `say` is told of progress. */
export async function runAll(rows: readonly Row[], say: (line: string) => void): Promise<RowReport[]> {
  const webhooks = await openWebhooks();
  const twoInstalls = createLimit(2);
  const twoRows = createLimit(2);

  /** The programs of a peer; whoever is no peer is one of ours. */
  const programsOf = once(async (id: string): Promise<Programs | Unavailable> => {
    const peer = peers.find((one) => one.id === id);
    return peer ? twoInstalls(() => install(peer)) : jsPrograms(id);
  });
  const started: RunningServer[] = [];
  const serverOf = once(async (id: string): Promise<RunningServer> => {
    const programs = await programsOf(id);
    if ("unavailable" in programs) throw new Error(programs.unavailable);
    const server = await startServer(programs.server);
    started.push(server);
    return server;
  });

  const reportOf = async (row: Row): Promise<RowReport> => {
    try {
      const [client, server] = await Promise.all([programsOf(row.client), programsOf(row.server)]);
      if ("unavailable" in client) return { row, unavailable: client.unavailable };
      if ("unavailable" in server) return { row, unavailable: server.unavailable };
      return await twoRows(async () => ({
        row,
        results: await runRow(row, client.client, await serverOf(row.server), webhooks),
      }));
    } catch (error) {
      return { row, broken: (error as Error).message };
    }
  };

  const reports = await Promise.all(
    rows.map(async (row) => {
      const report = await reportOf(row);
      say(`${nameOf(row)}: ${summary(report)}`);
      return report;
    }),
  );
  await Promise.all([...started.map((server) => server.stop()), webhooks.close()]);
  return reports;
}

function summary(report: RowReport): string {
  if ("unavailable" in report) return "unavailable";
  if ("broken" in report) return "FAILED";
  const failed = report.results.filter(({ verdict }) => "problem" in verdict).map(({ step }) => step);
  return failed.length === 0 ? "ok" : `FAILED at ${failed.join(", ")}`;
}
