// An agent over gRPC beside the other bindings, and a client of it: npx tsx examples/grpc.ts
import { connect, createClient } from "a2a-typed/client";
import { grpc } from "a2a-typed/grpc";
import { defineAgent, serve } from "a2a-typed/server";
import { A2A, textOf, userMessage } from "a2a-typed/v1";

const agent = defineAgent({
  card: { name: "Echo", description: "Says what it hears.", skills: [] },
  handle: async (_ctx, message) => "echo: " + textOf(message),
});

// #region serve
const server = await serve(agent, { port: 0, grpc: { port: 0 } });
console.log(`gRPC on ${server.grpc?.address}`);
// #endregion serve

// #region connect
await using echo = await connect(server.url, { grpc, prefer: "GRPC" });
console.log((await echo.send("hello")).text()); // echo: hello
// #endregion connect

// #region pinned
const client = createClient(A2A, grpc({ address: server.grpc?.address ?? "" }));
const { task } = await client.sendMessage({ message: userMessage("hello") });
console.log(task?.status.state); // TASK_STATE_COMPLETED
await client.close();
// #endregion pinned

await server.close();
