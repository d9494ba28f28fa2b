// #region connect
import { connect } from "a2a-typed/client";
import { textOf } from "a2a-typed/v1";

const url = process.argv[2] ?? "http://127.0.0.1:8080";
const agent = await connect(url);
console.log(`${agent.card.name} speaks A2A ${agent.protocolVersion} over ${agent.interface.protocolBinding}`);

const reply = await agent.send("hello");
console.log(reply.text());
// #endregion connect

// #region operations
if (reply.task) {
  const { artifacts = [] } = await agent.getTask({ id: reply.task.id, historyLength: 0 });
  console.log(artifacts.map(textOf).join(" "));
}
// #endregion operations

// #region restrict
const older = await connect(url, { versions: ["0.3"], bindings: ["HTTP+JSON"] });
console.log(`${older.protocolVersion}: ${(await older.send("hello again")).text()}`);
// #endregion restrict

for (const { pointer, message } of agent.problems) console.log(`card${pointer}: ${message}`);
await Promise.all([agent.close(), older.close()]);
