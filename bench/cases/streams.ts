import type { ServerCase } from "../harness/bench-case.js";
import { isScarce, scarceServers } from "../harness/scarce-servers.js";
import { measureStream, type Streams } from "../harness/stream.js";

const unit = "CPU µs per event";
const limit = { kind: "ratio", of: "raw", to: "ours", atLeast: 0.8 } as const;
/** Enough for a figure of a server that needs a hundred times as long. */
const FEW = 5;

const long = (chunks: number, targets: ServerCase["targets"] = []): ServerCase => ({
  name: `Stream of ${chunks.toLocaleString("en")}`,
  unit,
  warm: true,
  // The official SDK copies the task for each event: 4,000 chunks take it 38 s.
  subjects: chunks > 1000 ? ["raw", "ours", "sqlite"] : ["raw", "ours", "sqlite", "official"],
  scarce: scarceServers,
  async measure(subject, round) {
    const { chunks: many, scarce } = round.effort;
    const times = Math.max(1, Math.round((many / chunks) * (isScarce(subject) ? scarce : 1)));
    return measureStream(await round.server(subject), {
      chunks,
      times: subject === "official" ? Math.min(times, chunks >= 1000 ? 1 : FEW) : times,
    });
  },
  targets,
});

const of1000 = (name: string, more: Partial<Streams>, times: (chunks: number) => number): ServerCase => ({
  name,
  unit,
  warm: true,
  subjects: ["raw", "ours", "sqlite", "official"],
  scarce: scarceServers,
  rounds: 3,
  async measure(subject, round) {
    const server = await round.server(subject);
    const { chunks, scarce } = round.effort;
    const { atOnce = 1 } = more;
    const wanted = times(chunks * (isScarce(subject) ? scarce : 1));
    // As many each time.
    const count = subject === "official" ? atOnce : Math.ceil(wanted / atOnce) * atOnce;
    return measureStream(server, { chunks: 1000, times: count, ...more });
  },
});

/** Streams by length, of distinct artifacts, and eight at once. */
export const streams: readonly ServerCase[] = [
  long(100),
  long(1000, [limit]),
  long(4000),
  long(20_000, [limit]),
  of1000("Stream of 1,000 artifacts", { distinct: true }, (chunks) => chunks / 2000),
  of1000("8 streams of 1,000 at once", { atOnce: 8 }, (chunks) => chunks / 1000),
];
