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
  // Overloads, as those of `on`: `IncomingMessage` of newer @types/node does not fit a single one with `never[]`.
  removeListener(event: "data", listener: (chunk: Buffer) => void): unknown;
  removeListener(event: "end" | "close", listener: () => void): unknown;
  removeListener(event: "error", listener: (error: Error) => void): unknown;
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
    // A stream of answers may live for hours: nothing of its request may hang on it.
    const settle = (finish: () => void): void => {
      first = chunks = undefined;
      source.removeListener("data", onData);
      source.removeListener("end", onEnd);
      source.removeListener("close", onClose);
      source.removeListener("error", gone);
      source.on("error", ignore);
      finish();
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > limit) {
        source.pause();
        settle(() => reject(tooLarge(limit)));
      } else if (!first) first = chunk;
      else (chunks ??= [first]).push(chunk);
    };
    const onEnd = (): void => {
      const bytes = chunks ? Buffer.concat(chunks, size) : first;
      settle(() => {
        if (!bytes) resolve("");
        else if (isUtf8(bytes)) resolve(withoutMark(bytes.toString("utf8")));
        else
          reject(
            new A2AError("PARSE_ERROR", "Invalid JSON payload: the body is not UTF-8", { code: -32700 }),
          );
      });
    };
    const gone = (cause?: Error): void =>
      settle(() => reject(new A2AError("ABORTED", "The caller went away", { cause })));
    const onClose = (): void => {
      if (!source.complete) gone();
    };
    source.on("data", onData);
    source.on("end", onEnd);
    source.on("error", gone);
    source.on("close", onClose);
  });
}

const ignore = (): void => undefined;

const withoutMark = (text: string): string => (text.startsWith("\uFEFF") ? text.slice(1) : text);
