import { isRecord } from "../is-record.js";
import type { A2ATools } from "../tools/a2a-tools.js";
import { toolError } from "../tools/tool-error.js";
import { A2AError } from "../../errors.js";

/** Calls a tool by its name, with an object or the JSON text of one, as models give it. Never rejects. */
export async function callTool(
  { tools }: Pick<A2ATools, "tools">,
  name: string,
  input: unknown,
): Promise<unknown> {
  const tool = tools.find((one) => one.name === name);
  if (!tool) return refusal(`There is no tool ${name}; there are ${tools.map((one) => one.name).join(", ")}`);
  const value = typeof input === "string" ? parse(input) : (input ?? {});
  return isRecord(value) ? tool.execute(value) : refusal(`The arguments of ${name} are no JSON object`);
}

const refusal = (message: string): unknown => toolError(new A2AError("INVALID_PARAMS", message));

function parse(text: string): unknown {
  try {
    return text.trim() === "" ? {} : JSON.parse(text);
  } catch {
    return undefined;
  }
}
