import type { JsonObject } from "../../descriptor.js";
import { isRecord } from "../is-record.js";
import type { A2ATools } from "../tools/a2a-tools.js";
import { callTool } from "./call-tool.js";

/** A tool as `tools/list` of the Model Context Protocol tells it. */
export interface McpTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly type: "object"; readonly [key: string]: unknown };
}

/** What `tools/call` answers. */
export interface McpToolResult {
  readonly content: readonly { readonly type: "text"; readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: true;
}

/** The tools for a server of the Model Context Protocol. */
export const mcpTools = ({ tools }: Pick<A2ATools, "tools">): McpTool[] =>
  tools.map(({ name, description, jsonSchema }) => ({
    name,
    description,
    inputSchema: { ...withoutType(jsonSchema), type: "object" },
  }));

/** Answers `tools/call`. Never rejects. */
export async function callMcpTool(
  tools: Pick<A2ATools, "tools">,
  call: { readonly name: string; readonly arguments?: unknown },
): Promise<McpToolResult> {
  const result = await callTool(tools, call.name, call.arguments);
  return {
    content: [{ type: "text", text: JSON.stringify(result) }],
    ...(isRecord(result) && { structuredContent: result }),
    ...(isRecord(result) && result["error"] === true && { isError: true as const }),
  };
}

const withoutType = ({ type: _, ...rest }: JsonObject): JsonObject => rest;
