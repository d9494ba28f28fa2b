// Type-checked against the installed package: its declarations must stand on their own, without skipLibCheck.
import { createClient, httpJson, isA2AError, jsonRpc } from "a2a-typed";
import * as client from "a2a-typed/client";
import type { ServiceDescriptor, Table } from "a2a-typed/codegen-v1";
import * as fetchEntry from "a2a-typed/fetch";
import * as files from "a2a-typed/files";
import * as node from "a2a-typed/node";
import { defineAgent, serve } from "a2a-typed/server";
import * as testing from "a2a-typed/testing";
import * as v02 from "a2a-typed/v0.2";
import * as v03 from "a2a-typed/v0.3";
import * as v03validators from "a2a-typed/v0.3/validators";
import * as v03zod from "a2a-typed/v0.3/zod";
import { A2A, textOf, userMessage, type Message, type Task } from "a2a-typed/v1";
import schema from "a2a-typed/v1/schema.json" with { type: "json" };
import * as validators from "a2a-typed/v1/validators";
import * as zod from "a2a-typed/v1/zod";

export const modules = [
  client,
  fetchEntry,
  files,
  node,
  testing,
  v02,
  v03,
  v03validators,
  v03zod,
  schema,
  validators,
  zod,
];
export const services: readonly ServiceDescriptor[] = [A2A, v03.A2A, v02.A2A];
export type TaskTable = Table<Task>;

const agent = defineAgent({
  card: { name: "Echo", description: "Says what it hears.", skills: [] },
  handle: async (_ctx, message: Message) => `echo: ${textOf(message)}`,
});

export async function talk(): Promise<string> {
  const server = await serve(agent, { port: 0 });
  const rpc = createClient(A2A, jsonRpc({ url: server.url }));
  const rest = createClient(A2A, httpJson({ url: server.url }));
  try {
    const { task, message } = await rpc.sendMessage({ message: userMessage("hello") });
    if (task) return textOf(await rest.getTask({ id: task.id }));
    return textOf(message);
  } catch (error) {
    if (isA2AError(error, "TASK_NOT_FOUND")) return error.reason;
    throw error;
  } finally {
    await server.close();
  }
}
