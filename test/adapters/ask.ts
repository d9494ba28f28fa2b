/** One client for every host: HTTP/1.1, or HTTP/2 in clear text where the host speaks nothing else. */
import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { connect } from "node:http2";
import type { Readable } from "node:stream";

export interface Question {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  /** Text as it is, anything else as JSON. */
  readonly body?: unknown;
  /** Sends the body without its length. */
  readonly chunked?: boolean;
}

/** A reply whose body is still to be read. */
export interface Opened {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  readonly body: Readable;
  /** Hangs up. */
  close(): void;
}

export interface Answer extends Omit<Opened, "body" | "close"> {
  readonly text: string;
  /** The body as JSON; undefined where it is none. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into JSON of every shape
  readonly json: any;
}

/** Sends a request and resolves with the head of its reply. */
export async function open(
  host: string,
  port: number,
  path: string,
  question: Question = {},
): Promise<Opened> {
  const { body, chunked = false } = question;
  const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  const method = question.method ?? (body === undefined ? "GET" : "POST");
  const length = text === undefined || chunked ? {} : { "content-length": String(Buffer.byteLength(text)) };
  const headers = {
    "a2a-version": "1.0",
    ...(text !== undefined && { "content-type": "application/json" }),
    ...length,
    ...question.headers,
  };
  if (host === "http2") {
    const session = connect(`http://127.0.0.1:${port}`);
    const stream = session.request({ ":method": method, ":path": path, ...headers });
    stream.end(text);
    stream.on("close", () => session.close());
    const [head] = (await once(stream, "response")) as [Record<string, string | number>];
    return { status: Number(head[":status"]), headers: head, body: stream, close: () => stream.close() };
  }
  const request = httpRequest({ port, path, method, headers, agent: false });
  // A body without a length goes out in two writes, or Node would state it.
  if (text !== undefined && chunked) request.write(text);
  request.end(chunked ? undefined : text);
  const [response] = (await once(request, "response")) as [IncomingMessage];
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: response,
    close: () => response.destroy(),
  };
}

/** Sends a request and reads the whole reply. */
export async function ask(host: string, port: number, path: string, question?: Question): Promise<Answer> {
  const { status, headers, body } = await open(host, port, path, question);
  let text = "";
  for await (const chunk of body.setEncoding("utf8")) text += String(chunk);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // Not every reply is JSON.
  }
  return { status, headers, text, json };
}
