import type { A2ATool } from "../tools/tool.js";
import type { A2ATools } from "../tools/a2a-tools.js";

/** A tool as the AI SDK takes it. */
export interface AiSdkTool {
  readonly description: string;
  readonly inputSchema: A2ATool["schema"];
  readonly execute: (input: Readonly<Record<string, unknown>>) => Promise<unknown>;
}

/** The tools for the AI SDK (5 and later), by name: `generateText({ model, prompt, tools: aiSdkTools(a2aTools) })`. */
export const aiSdkTools = ({ tools }: Pick<A2ATools, "tools">): Record<string, AiSdkTool> =>
  Object.fromEntries(
    tools.map(({ name, description, schema, execute }) => [
      name,
      { description, inputSchema: schema, execute },
    ]),
  );
