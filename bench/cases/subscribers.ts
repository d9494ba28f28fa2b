import type { ServerCase } from "../harness/bench-case.js";
import { openCrowd, type Crowd } from "../harness/crowd.js";
import { perRound } from "../harness/per-round.js";
import { subscribeRequest, talkRequest } from "../harness/requests.js";
import type { ServerName, ServerProcess } from "../harness/server-process.js";
import { taskOf } from "../harness/task-of.js";

/** A server whose task goes on, and all who listen to it. */
interface Talk {
  readonly server: ServerProcess;
  readonly crowd: Crowd;
  /** Id of the last event. */
  last: number;
}

/** Tokens that everybody hears before anything is measured: together, then one by one. */
const WARM = [160, 48] as const;
/** The task as it begins: created, working, one token. */
const BEGUN = 3;

const SUBSCRIBERS = 1_000;

const talkOf = perRound(async (name: ServerName, round): Promise<Talk> => {
  const server = await round.fresh(name);
  const id = await taskOf(server, talkRequest(server), /(submitted|working)$/i);
  const crowd = await openCrowd(server, subscribeRequest(server, id), SUBSCRIBERS);
  round.atEnd(() => crowd.stop());
  const talk = { server, crowd, last: BEGUN };
  await say(talk, WARM[0], 16);
  await say(talk, WARM[1], 1);
  return talk;
});

async function say(talk: Talk, tokens: number, together: number): Promise<void> {
  talk.last += tokens;
  // Asked first: who is slow to ask would count what the server did meanwhile as idle time.
  const seen = talk.crowd.seen(talk.last);
  await talk.server.say(tokens, together);
  await seen;
}

const caseOf = (name: string, together: number, tokens: number): ServerCase => ({
  name: `1,000 subscribers, ${name}`,
  unit: "CPU µs per event and socket",
  subjects: ["raw", "ours", "web"],
  async measure(subject, round) {
    const talk = await talkOf(subject, round);
    const before = await talk.server.usage();
    const start = performance.now();
    await say(talk, tokens, together);
    const elapsed = performance.now() - start;
    const after = await talk.server.usage();
    const events = tokens * SUBSCRIBERS;
    return { cost: (after.cpu - before.cpu) / events, rate: (events / elapsed) * 1000 };
  },
  targets: [
    { kind: "ratio", of: "raw", to: "ours", atLeast: 0.83 },
    { kind: "ratio", of: "raw", to: "web", atLeast: 0.62 },
  ],
});

/** One task that many listen to: events one by one, and as many in a tick as in the streams. */
export const subscriberCases: readonly ServerCase[] = [
  caseOf("one event at a time", 1, 24),
  caseOf("16 events at a time", 16, 160),
];
