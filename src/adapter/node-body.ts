import { isUtf8 } from "node:buffer";
import { A2AError } from "../errors.js";
import { tooLarge } from "./too-large.js";

/** The part of `IncomingMessage` and `Http2ServerRequest` that reading needs. */
export interface BodySource {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly complete: boolean;
  on(event: "data", listener: (chunk: Buffer) => void): unknown;
  on(event: "end" | "close", listener: () => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  removeAllListeners(event: "data"): unknown;
  pause(): unknown;
}

/**
 * The text of a request body. A declared length above the limit is refused without reading, an undeclared one as soon as
 * the limit is passed; bytes that are no UTF-8 are a `PARSE_ERROR`.
 */
export function readNodeBody(source: BodySource, limit: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const declared = Number(source.headers["content-length"] ?? 0);
    if (declared > limit) {
      reject(tooLarge(limit));
      return;
    }
    let first: Buffer | undefined;
    let chunks: Buffer[] | undefined;
    let size = 0;
    source.on("data", (chunk) => {
      size += chunk.length;
      if (size > limit) {
        source.removeAllListeners("data");
        source.pause();
        chunks = undefined;
        reject(tooLarge(limit));
      } else if (!first) first = chunk;
      else (chunks ??= [first]).push(chunk);
    });
    source.on("end", () => {
      const bytes = chunks ? Buffer.concat(chunks, size) : first;
      // The listeners live as long as the connection, and would hold the bytes through a long stream.
      first = undefined;
      chunks = undefined;
      if (!bytes) resolve("");
      else if (isUtf8(bytes)) resolve(withoutMark(bytes.toString("utf8")));
      else
        reject(new A2AError("PARSE_ERROR", "Invalid JSON payload: the body is not UTF-8", { code: -32700 }));
    });
    const gone = (cause?: Error): void => reject(new A2AError("ABORTED", "The caller went away", { cause }));
    source.on("error", gone);
    source.on("close", () => {
      if (!source.complete) gone();
    });
  });
}

const withoutMark = (text: string): string => (text.startsWith("\uFEFF") ? text.slice(1) : text);
