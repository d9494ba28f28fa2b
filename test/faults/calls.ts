import type { StreamResponse, Task } from "../../src/versions/pivot.js";

/** One event of a stream: its `id:` and its text, byte for byte. */
export interface Seen {
  readonly n: number;
  readonly text: string;
  readonly event: StreamResponse;
}

/** An answer without a stream: its status, and its reason or status name where it is an error. */
export interface Refused {
  readonly status: number;
  readonly reason: string;
}

interface ErrorBody {
  readonly error?: {
    readonly status?: string;
    readonly details?: readonly { readonly reason?: string }[];
  };
}

const HEADERS = { "a2a-version": "1.0", "content-type": "application/json" };

interface PostOptions {
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

const post = (url: string, body: unknown, { headers, signal }: PostOptions = {}): Promise<Response> =>
  fetch(url, {
    method: "POST",
    headers: { ...HEADERS, ...headers },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });

async function refusal(response: Response): Promise<Refused> {
  const { error } = (await response.json()) as ErrorBody;
  const reason = error?.details?.find((detail) => detail.reason !== undefined)?.reason;
  return { status: response.status, reason: reason ?? error?.status ?? "" };
}

/** What a message is made of. */
export const messageOf = (messageId: string, text: string, taskId?: string): object => ({
  message: { messageId, role: "ROLE_USER", parts: [{ text }], ...(taskId !== undefined && { taskId }) },
});

/** SendMessage; rejects where the connection broke. */
export async function send(
  url: string,
  body: object,
  signal: AbortSignal,
): Promise<{ readonly task: Task } | Refused> {
  const response = await post(`${url}/message:send`, body, { signal });
  return response.ok ? ((await response.json()) as { task: Task }) : refusal(response);
}

/** SendStreamingMessage. */
export const openStream = (url: string, body: object, signal: AbortSignal): Promise<Response> =>
  post(`${url}/message:stream`, body, { signal });

/** SubscribeToTask, after an event that was seen. */
export const resumeStream = (
  url: string,
  id: string,
  after: number | undefined,
  signal: AbortSignal,
): Promise<Response> => post(`${url}/tasks/${id}:subscribe`, {}, { signal, headers: lastEventId(after) });

const lastEventId = (after: number | undefined): Record<string, string> =>
  after === undefined ? {} : { "last-event-id": String(after) };

/** GetTask; undefined where there is none. */
export async function getTask(url: string, id: string): Promise<Task | undefined> {
  const response = await fetch(`${url}/tasks/${id}`, { headers: HEADERS });
  return response.ok ? ((await response.json()) as Task) : undefined;
}

/** `totalSize` of ListTasks. */
export async function totalSize(url: string, state?: string): Promise<number> {
  const query = state === undefined ? "" : `&status=${state}`;
  const response = await fetch(`${url}/tasks?pageSize=1${query}`, { headers: HEADERS });
  return ((await response.json()) as { totalSize: number }).totalSize;
}

/** Reads a stream to its end, however it ends; what came in whole is told as it comes. */
export async function readStream(
  response: Response,
  told: (seen: Seen) => void,
): Promise<Refused | undefined> {
  if (response.headers.get("content-type")?.startsWith("text/event-stream") !== true)
    return refusal(response);
  let buffer = "";
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body ?? []) {
      buffer += decoder.decode(chunk, { stream: true });
      for (let end = buffer.indexOf("\n\n"); end >= 0; end = buffer.indexOf("\n\n")) {
        const frame = parse(buffer.slice(0, end));
        buffer = buffer.slice(end + 2);
        if (frame !== undefined) told(frame);
      }
    }
  } catch {
    // The instance is gone: what was cut in the middle was not seen.
  }
  return undefined;
}

function parse(block: string): Seen | undefined {
  const lines = block.split("\n");
  const text = lines.find((line) => line.startsWith("data: "))?.slice(6);
  const id = lines.find((line) => line.startsWith("id: "))?.slice(4);
  if (text === undefined) return undefined;
  // A stream that ends with an error: whoever reads it resumes.
  if (id === undefined && "error" in JSON.parse(text)) return undefined;
  if (id === undefined) throw new Error(`an event without id: ${text}`);
  return { n: Number(id), text, event: JSON.parse(text) as StreamResponse };
}
