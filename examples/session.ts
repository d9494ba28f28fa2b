// Tools with which a language model talks to agents. Here a few calls stand for the model.
// #region start
import { A2AAgents, A2ASession, A2ATools, JSONTaskStore, LocalFileStore } from "a2a-typed/session";

const agents = new A2AAgents({
  echo: {
    url: process.argv[2] ?? "http://127.0.0.1:8080",
    custom_headers: { "X-API-Key": "key_123" },
  },
});
const storage = process.argv[3] ?? "./storage";
const session = new A2ASession(agents, {
  taskStore: new JSONTaskStore(`${storage}/tasks`),
  fileStore: new LocalFileStore(`${storage}/files`),
});
const tools = new A2ATools(session);
// #endregion start

// #region call
console.log(await tools.getAgents.execute({}));
const answer = await tools.sendMessage.execute({ agentId: "echo", message: "hello" });
if ("error" in answer) throw new Error(answer.error_message);
console.log(JSON.stringify(answer));

if (answer.kind === "task") {
  const [artifact] = answer.artifacts;
  const view = { agentId: "echo", taskId: answer.id, artifactId: artifact?.artifactId ?? "" };
  console.log(JSON.stringify(await tools.viewTextArtifact.execute({ ...view, lineStart: 1, lineEnd: 1 })));
}
// #endregion call

// #region shapes
import { callOpenAiTool, openAiChatTools } from "a2a-typed/session";

// Sent with the conversation; a model answers with the name of a tool and its arguments as text.
const functions = openAiChatTools(tools);
const call = { name: functions[1]?.function.name ?? "", arguments: '{"agentId": "echo"}' };
console.log(await callOpenAiTool(tools, call));
// #endregion shapes

// #region registry
console.log(await agents.findAgents({ tag: "demo" }));
console.log(await agents.refresh()); // { echo: "unchanged" }
const { echo } = await agents.checkHealth();
console.log(echo?.ok, echo?.protocolVersion);
// #endregion registry
await agents.close();
