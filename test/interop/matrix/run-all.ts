import { install, jsPrograms, type Programs } from "./install.js";
import { createLimit } from "./limit.js";
import { nameOf, type Peer, type Row } from "./peers.js";
import { runRow } from "./run-row.js";
import { startServer, type RunningServer } from "./start-server.js";
import type { RowReport } from "./table.js";
import { openWebhooks } from "./webhooks.js";

/** Installs what the rows need, runs them, and reports in their order; `say` is told of progress. */
export async function runAll(rows: readonly Row[], say: (line: string) => void): Promise<RowReport[]> {
  const webhooks = await openWebhooks();
  const ours = await startServer(jsPrograms("ours").server);
  const oneInstall = createLimit(1);
  const twoRows = createLimit(2);
  const reports = new Map<Row, RowReport>();
  const put = (report: RowReport): void => {
    reports.set(report.row, report);
    say(`${nameOf(report.row)}: ${summary(report)}`);
  };

  const runPeer = async (peer: Peer): Promise<void> => {
    const own = rows.filter((row) => row.peer === peer);
    const programs = await oneInstall(() => install(peer));
    if ("unavailable" in programs) {
      for (const row of own) put({ row, unavailable: programs.unavailable });
      return;
    }
    const needsServer = own.some((row) => row.server === peer.id);
    const theirs = needsServer ? await startServer(programs.server).catch(String) : undefined;
    await Promise.all(own.map((row) => twoRows(async () => put(await reportOf(row, programs, theirs)))));
    if (typeof theirs === "object") await theirs.stop();
  };

  const reportOf = async (
    row: Row,
    programs: Programs,
    theirs: RunningServer | string | undefined,
  ): Promise<RowReport> => {
    const server = row.server === "ours" ? ours : theirs;
    if (typeof server !== "object") return { row, broken: String(server) };
    const client = row.client === row.peer.id ? programs.client : jsPrograms(row.client).client;
    return { row, results: await runRow(row, client, server, webhooks) };
  };

  const peers = [...new Set(rows.map(({ peer }) => peer))];
  await Promise.all(
    peers.map((peer) =>
      runPeer(peer).catch((error: unknown) => {
        for (const row of rows)
          if (row.peer === peer && !reports.has(row)) put({ row, broken: (error as Error).message });
      }),
    ),
  );
  await Promise.all([ours.stop(), webhooks.close()]);
  return rows.map((row) => reports.get(row) ?? { row, broken: "it was not run" });
}

function summary(report: RowReport): string {
  if ("unavailable" in report) return "unavailable";
  if ("broken" in report) return "FAILED";
  const failed = report.results.filter(({ verdict }) => "problem" in verdict).map(({ step }) => step);
  return failed.length === 0 ? "ok" : `FAILED at ${failed.join(", ")}`;
}
