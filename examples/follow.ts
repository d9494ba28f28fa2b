import { connect } from "a2a-typed/client";

const agent = await connect(process.argv[2] ?? "http://127.0.0.1:8080");

// #region follow
const run = await agent.start("Tell me a story");
for await (const event of run) {
  if (event.statusUpdate) console.log(event.statusUpdate.status.state);
}
if (run.status?.state === "TASK_STATE_INPUT_REQUIRED") await run.reply("Go on");
const reply = await run.result({ timeoutMs: 600_000 });
console.log(reply.text());
// #endregion follow

// #region again
const same = agent.task(run.id ?? "");
console.log((await same.result()).task?.status.state, same.artifacts.length);
// #endregion again

await agent.close();
