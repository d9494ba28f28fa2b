import type { Attack } from "./mutate.js";
import type { Reply } from "./wire.js";

/** What no answer may hold: the marks of stack traces, paths of files and names of classes. */
export const LEAKS =
  /\n\s+at |node:internal|node_modules|file:\/\/|\/(?:work|home|usr|src|dist)\/|\.[cm]?[jt]s:\d+|\b(?:Type|Range|Syntax|Reference|URI)Error\b|\bA2AError\b|\b(?:LiveTask|TaskEngine|MemoryStore|AgentRuntime)\b/;

/** What is wrong with an answer to an attack; undefined where nothing is. */
export function problemOf({ framed }: Attack, reply: Reply): string | undefined {
  if (reply.kind !== "answer")
    return framed ? `no answer (${reply.kind})` : reply.kind === "silent" ? "no end" : undefined;
  const { status, type, body } = reply;
  const leak = LEAKS.exec(body);
  if (leak) return `leaks ${JSON.stringify(leak[0])}`;
  if (status >= 500 && status !== 501) return `status ${String(status)}`;
  if (body === "") return status === 204 || status === 304 || status < 500 ? undefined : "an empty body";
  if (type.startsWith("text/event-stream")) return problemOfEvent(body);
  if (!/^application\/(a2a\+)?json$/.test(type)) return `content type ${type}`;
  return problemOfJson(body, status);
}

const problemOfEvent = (body: string): string | undefined => {
  const data = /^data: (.*)$/m.exec(body)?.[1];
  return data === undefined
    ? body.startsWith(":")
      ? undefined
      : "an event without data"
    : problemOfJson(data, 200);
};

function problemOfJson(text: string, status: number): string | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return "no JSON";
  }
  if (typeof json !== "object" || json === null) return "no object";
  const { error } = json as { error?: unknown };
  if ("jsonrpc" in json) {
    if (error === undefined) return "result" in json ? undefined : "neither result nor error";
    return problemOfError(error, (code) => Number.isInteger(code) && code < 0);
  }
  if (status < 400 && error === undefined) return undefined;
  // 0.x over HTTP+JSON: the error object of JSON-RPC, bare.
  if (error === undefined) return problemOfError(json, (code) => code < 0);
  return problemOfError(error, (code) => code === status || status === 200);
}

function problemOfError(error: unknown, takes: (code: number) => boolean): string | undefined {
  if (typeof error !== "object" || error === null) return "an error that is no object";
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code !== "number" || !takes(code)) return `error code ${JSON.stringify(code)}`;
  if (typeof message !== "string" || message === "") return "an error without message";
  return code === -32603 ? `an internal error: ${message}` : undefined;
}
