import type { News } from "./types.js";

/** Version of the messages; instances ignore those of another one. */
export const MESSAGE_VERSION = 1;

/** Room for what is around the news of a message: version, sender, number. */
export const ENVELOPE_BYTES = 128;

/** One piece of news as JSON, with its size. */
export interface EncodedNews {
  readonly text: string;
  readonly bytes: number;
}

/**
 * One piece of news as JSON of at most `limit` bytes: without its events where they do not fit, undefined where it does
 * not fit without them either.
 */
export function encodeNews(news: News, limit: number): EncodedNews | undefined {
  return fitting(news, news.events, limit) ?? (news.events && fitting(news, undefined, limit));
}

function fitting(
  { scope, taskId, revision, letter, answered }: News,
  events: News["events"],
  limit: number,
): EncodedNews | undefined {
  // Texts are not measured by `JSON.stringify` where they alone are too long.
  let least = 0;
  for (const { text } of events ?? []) least += text.length;
  if (least > limit) return undefined;
  const text = JSON.stringify({
    // Short where there is neither, as it mostly is.
    scope: scope && (scope.tenant !== "" || scope.owner !== "") ? scope : undefined,
    taskId,
    revision,
    // Copied by name: a text may be a getter of a class.
    events: events?.map(({ n, text }) => ({ n, text })),
    letter,
    answered,
  });
  const bytes = Buffer.byteLength(text);
  return bytes <= limit ? { text, bytes } : undefined;
}

/** A message of one sender; `seq` counts its messages. Its news are already JSON. */
export function encodeMessage(from: string, seq: number, news: readonly string[]): string {
  return `{"v":${String(MESSAGE_VERSION)},"from":${JSON.stringify(from)},"seq":${String(seq)},"news":[${news.join()}]}`;
}
