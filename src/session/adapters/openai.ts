import type { JsonObject } from "../../descriptor.js";
import type { A2ATools } from "../tools/a2a-tools.js";
import { callTool } from "./call-tool.js";

/** A function as the API for chat completions takes it. */
export interface OpenAiChatTool {
  readonly type: "function";
  readonly function: { readonly name: string; readonly description: string; readonly parameters: JsonObject };
}

/** A function as the API for responses takes it. */
export interface OpenAiResponseTool {
  readonly type: "function";
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  /** Strict schemas have no optional members. */
  readonly strict: false;
}

/** The tools for OpenAI's chat completions and whatever else takes that shape. */
export const openAiChatTools = ({ tools }: Pick<A2ATools, "tools">): OpenAiChatTool[] =>
  tools.map(({ name, description, jsonSchema }) => ({
    type: "function",
    function: { name, description, parameters: jsonSchema },
  }));

/** The tools for OpenAI's responses. */
export const openAiResponseTools = ({ tools }: Pick<A2ATools, "tools">): OpenAiResponseTool[] =>
  tools.map(({ name, description, jsonSchema }) => ({
    type: "function",
    name,
    description,
    parameters: jsonSchema,
    strict: false,
  }));

/** Does what a model asks for (`arguments` is JSON text) and gives the text to answer it with. Never rejects. */
export const callOpenAiTool = async (
  tools: Pick<A2ATools, "tools">,
  call: { readonly name: string; readonly arguments: string },
): Promise<string> => JSON.stringify(await callTool(tools, call.name, call.arguments));
