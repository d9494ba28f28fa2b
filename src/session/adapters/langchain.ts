import type { A2ATool } from "../tools/tool.js";
import type { A2ATools } from "../tools/a2a-tools.js";

/** What LangChain's `tool` is told of a tool. */
export interface LangChainFields {
  readonly name: string;
  readonly description: string;
  readonly schema: A2ATool["schema"];
}

/** LangChain's `tool`. */
export type LangChainFactory<T> = (
  run: (input: Readonly<Record<string, unknown>>) => Promise<string>,
  fields: LangChainFields,
) => T;

/** The tools for LangChain, made by its `tool`: `createAgent({ model, tools: langChainTools(a2aTools, tool) })`. */
export const langChainTools = <T>({ tools }: Pick<A2ATools, "tools">, tool: LangChainFactory<T>): T[] =>
  tools.map(({ name, description, schema, execute }) =>
    tool(async (input) => JSON.stringify(await execute(input)), { name, description, schema }),
  );
