// A client of A2A 0.3, with the types of 0.3: npx tsx examples/pinned-v03.ts http://127.0.0.1:8080
// #region client
import { createClient, jsonRpc } from "a2a-typed";
import { A2A, textOf, userMessage } from "a2a-typed/v0.3";

const url = process.argv[2] ?? "http://127.0.0.1:8080";
const client = createClient(A2A, jsonRpc({ url }));
const reply = await client.sendMessage({ message: userMessage("hello") });
if (reply.kind === "task") console.log(reply.id, reply.status.state, textOf(reply));
else console.log(textOf(reply));
// #endregion client

await client.close();
