import { ZodError } from "zod";
import { A2AError } from "../../errors.js";
import type { ToolError } from "../llm-types.js";

/**
 * What a model is told of a failure, and what it can do. Hosts, headers and files of this process are in the messages of
 * local failures: those are put in other words.
 */
export function toolError(error: unknown): ToolError {
  return { error: true, error_message: messageOf(error) };
}

function messageOf(error: unknown): string {
  if (error instanceof ZodError) {
    const issues = error.issues.map(({ path, message }) => `${path.join(".") || "input"}: ${message}`);
    return `The tool was called wrongly. ${issues.join("; ")}. Correct this and call it again.`;
  }
  if (!(error instanceof A2AError)) return "Something went wrong that has nothing to do with the call.";
  const local = localMessage(error);
  if (local !== undefined) return local;
  const hint = hints[error.reason];
  const said = sentence(error.message);
  return hint === undefined ? said : `${said} ${hint}`;
}

const hints: Readonly<Record<string, string>> = {
  TASK_NOT_FOUND: "Check taskId and agentId: a task belongs to the agent that made it.",
  UNSUPPORTED_OPERATION: "The agent does not offer this; try send_message with other words.",
  CONTENT_TYPE_NOT_SUPPORTED: "Send the same as plain text.",
};

function localMessage({ reason, status }: A2AError): string | undefined {
  switch (reason) {
    case "TIMEOUT":
      return "The agent did not answer in time. Call again with a longer timeout, or get_task if the task id is known.";
    case "NETWORK":
    case "STREAM_CUT":
    case "UNAVAILABLE":
      return "The agent cannot be reached at the moment. Try again later, or another agent of get_agents.";
    case "HTTP":
      return `The agent answered with HTTP status ${status ?? "unknown"}. Try again later, or another agent of get_agents.`;
    case "UNAUTHENTICATED":
    case "PERMISSION_DENIED":
      return "The agent refused the credentials that it is called with. Tell the user; another call will not help.";
    case "DECODE":
    case "INVALID_AGENT_RESPONSE":
      return "The agent answered with something that is not A2A. Tell the user; another call will hardly help.";
    case "CONFIG":
    case "NO_COMPATIBLE_INTERFACE":
    case "CARD_NOT_TRUSTED":
    case "FORBIDDEN_TARGET":
      return "The agent cannot be called from here as things are set up. Tell the user, or try another agent.";
    case "ABORTED":
      return "The call was given up.";
    default:
      return undefined;
  }
}

const sentence = (message: string): string => (/[.!?]$/.test(message) ? message : `${message}.`);
