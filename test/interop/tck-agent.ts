import { agentArguments } from "./tck/agent-arguments.js";
import { startTckAgent } from "./tck/agent.js";

const server = await startTckAgent(agentArguments("tck-agent"));
console.log(server.url);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void server.close());
