import { describe, expect, it } from "vitest";
import { agentRuns } from "./agent-runs.js";
import { authRuns } from "./auth-runs.js";
import { cardRuns } from "./card-runs.js";
import { cardSigningRuns } from "./card-signing-runs.js";
import { fieldCases, type Run } from "./cases.js";
import { clientRuns } from "./client-runs.js";
import { codecRuns, validatorRuns } from "./codec-runs.js";
import { convertRuns } from "./convert-runs.js";
import { discoveryRuns } from "./discovery-runs.js";
import { formRuns } from "./form-runs.js";
import { legacyRuns } from "./legacy-runs.js";
import { pushRuns } from "./push-runs.js";
import { refusalRuns } from "./refusal-runs.js";
import { schemaRuns } from "./schema-runs.js";
import { serverRuns } from "./server-runs.js";
import { sessionRuns } from "./session-runs.js";
import { sseRuns } from "./sse-runs.js";
import { streamRuns } from "./stream-runs.js";

const groups: Record<string, Record<string, Run>> = {
  codec: codecRuns,
  validators: validatorRuns,
  "event streams": sseRuns,
  client: clientRuns,
  discovery: discoveryRuns,
  cards: cardRuns,
  "signed cards": cardSigningRuns,
  "agents of any version": agentRuns,
  server: serverRuns,
  push: pushRuns,
  auth: authRuns,
  refusals: refusalRuns,
  reducer: streamRuns,
  schema: schemaRuns,
  "0.x": legacyRuns,
  "HTTP+JSON of 0.3": formRuns,
  conversion: convertRuns,
  session: sessionRuns,
};

describe.each(Object.entries(groups))("%s", (_, runs) => {
  it.each(fieldCases.filter(({ id }) => Object.hasOwn(runs, id)))("$id: $why", async (fieldCase) => {
    await runs[fieldCase.id]?.(fieldCase);
  });
});

it("drops no case, and runs each once", () => {
  const run = Object.values(groups).flatMap((runs) => Object.keys(runs));
  expect(run.toSorted()).toEqual(fieldCases.map(({ id }) => id).toSorted());
});
