import { decode } from "../codec/decode.js";
import { isObject } from "../codec/json.js";
import { anyGeneration } from "../interchange/any-generation.js";
import { pivot, streamResponseTable, type StreamResponse } from "../versions/pivot.js";
import type { HeaderReader } from "./header-of.js";
import { malformed } from "./refusals.js";

/** What a body says. */
export interface ReadEvent {
  readonly event: StreamResponse;
  readonly taskId: string;
  readonly version: string;
}

/** Reads a StreamResponse of 1.0, or the bare task of 0.x, into the newest shape. */
export function readEvent(text: string, header: HeaderReader, version?: string): ReadEvent {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw malformed("The body of the notification is no JSON", error);
  }
  let event: StreamResponse;
  try {
    const mode = version === undefined ? anyGeneration() : undefined;
    event = decode(streamResponseTable, json, { direction: "reply", mode });
  } catch (error) {
    throw malformed("The body of the notification is no event of a task", error);
  }
  const taskId =
    event.task?.id ?? (event.statusUpdate ?? event.artifactUpdate ?? event.message)?.taskId ?? "";
  if (taskId === "") throw malformed("The notification names no task");
  return { event, taskId, version: version ?? versionOf(json, header("a2a-version")) };
}

/** The version by its header, else by what only 0.x bodies have. */
function versionOf(json: unknown, header: string | undefined): string {
  const [, named] = /^(\d+\.\d+)(?:\.\d+)?$/.exec(header ?? "") ?? [];
  return named ?? (isObject(json) && "kind" in json ? "0.3" : pivot.version);
}
