import { connect, type ClientHttp2Session, type IncomingHttpHeaders } from "node:http2";
import type { GrpcAttack } from "./grpc-mutate.js";

/** What came back: a status, the beginning of a stream, or none of them. */
export interface GrpcReply {
  readonly kind: "status" | "streams" | "reset" | "silent" | "http";
  readonly status?: number;
  /** `grpc-message`, decoded, and the bytes of the details. */
  readonly text: string;
}

const PATIENCE_MS = 15_000;

/** One connection of HTTP/2 for calls one after the other; a new one is opened when the server ends it. */
export class GrpcWire {
  private session: ClientHttp2Session | undefined;
  private readonly port: number;

  constructor(port: number) {
    this.port = port;
  }

  /** Sends a call and waits for its status; a stream is left when its first message is there. */
  send({ headers, body }: GrpcAttack): Promise<GrpcReply> {
    const session = this.open();
    return new Promise((resolve) => {
      const stream = session.request({
        ":method": "POST",
        "content-type": "application/grpc",
        te: "trailers",
        ...headers,
      });
      let settled = false;
      const settle = (reply: GrpcReply): void => {
        if (settled) return;
        settled = true;
        clearTimeout(timer);
        stream.close(8);
        resolve(reply);
      };
      const timer = setTimeout(() => settle({ kind: "silent", text: "" }), PATIENCE_MS);
      const told = (fields: IncomingHttpHeaders): void => {
        const status = fields["grpc-status"];
        if (status !== undefined) settle({ kind: "status", status: Number(status), text: textOf(fields) });
      };
      stream.on("response", (fields) => {
        told(fields);
        if (fields[":status"] !== 200) settle({ kind: "http", status: Number(fields[":status"]), text: "" });
      });
      stream.on("trailers", told);
      // Trailers follow a single answer at once; a stream has them at its end.
      stream.on("data", () => setTimeout(() => settle({ kind: "streams", text: "" }), 20));
      stream.on("error", () => settle({ kind: "reset", text: "" }));
      stream.on("close", () => settle({ kind: "reset", text: "" }));
      stream.end(body);
    });
  }

  close(): void {
    this.session?.destroy();
  }

  private open(): ClientHttp2Session {
    const { session } = this;
    if (session !== undefined && !session.closed && !session.destroyed) return session;
    const fresh = connect(`http://127.0.0.1:${String(this.port)}`);
    fresh.on("error", () => fresh.destroy());
    fresh.on("goaway", () => fresh.close());
    this.session = fresh;
    return fresh;
  }
}

/** What the status says in words: message and details, as far as they are text. */
function textOf(fields: IncomingHttpHeaders): string {
  const message = String(fields["grpc-message"] ?? "").replaceAll("%", "%25");
  const details = Buffer.from(String(fields["grpc-status-details-bin"] ?? ""), "base64").toString("latin1");
  return `${decodeURIComponent(message.replaceAll(/%25([0-9A-F]{2})/g, "%$1").replaceAll(/%[89A-F][0-9A-F]/g, "?"))} ${details}`;
}
