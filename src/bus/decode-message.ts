import { MESSAGE_VERSION } from "./encode-news.js";
import type { News } from "./types.js";

/** What one instance sent at once. */
export interface Message {
  /** Random name of the sender. */
  readonly from: string;
  /** Counts the sender's messages: a number that is left out is a message that was lost. */
  readonly seq: number;
  readonly news: readonly News[];
}

/** Reads a message strictly: `damaged` where it is not one, `foreign` where another version of the library wrote it. */
export function decodeMessage(text: string): Message | "damaged" | "foreign" {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "damaged";
  }
  if (!isRecord(value)) return "damaged";
  const { v, from, seq, news } = value;
  if (!isCount(v)) return "damaged";
  if (v !== MESSAGE_VERSION) return "foreign";
  return isName(from) && isCount(seq) && Array.isArray(news) && news.every(isNews)
    ? { from, seq, news }
    : "damaged";
}

function isNews(value: unknown): value is News {
  if (!isRecord(value)) return false;
  const { scope, taskId, revision, events, letter, answered } = value;
  return (
    isName(taskId) &&
    (scope === undefined || isScope(scope)) &&
    (revision === undefined || isCount(revision)) &&
    (events === undefined || isEvents(events, revision)) &&
    (letter === undefined || isName(letter)) &&
    (answered === undefined || isName(answered))
  );
}

/** Whether they run up to the revision without gap: followers append them without looking at anything else. */
function isEvents(value: unknown, revision: unknown): boolean {
  if (!Array.isArray(value) || !isCount(revision)) return false;
  const first = revision - value.length + 1;
  return value.every(
    (event: unknown, i) => isRecord(event) && event["n"] === first + i && typeof event["text"] === "string",
  );
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isScope = (value: unknown): boolean =>
  isRecord(value) && typeof value["tenant"] === "string" && typeof value["owner"] === "string";

const isName = (value: unknown): value is string => typeof value === "string" && value !== "";

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;
