import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** What the peer answers, whatever it is asked. */
export interface PeerReply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  /** Text, or chunks that are written one by one. */
  readonly body?: string | readonly string[];
}

/** A request as the peer saw it. */
export interface PeerRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** A peer on a real socket. */
export interface Peer extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly PeerRequest[];
}

/** Starts a peer that gives every request the same answer, or one by its path and query. */
export async function startPeer(reply: PeerReply | ((url: string) => PeerReply)): Promise<Peer> {
  const requests: PeerRequest[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => (text += chunk));
    request.on("end", () => {
      requests.push({
        method: request.method ?? "",
        url: request.url ?? "",
        headers: request.headers,
        body: text,
      });
      const {
        status = 200,
        headers,
        body = "",
      } = typeof reply === "function" ? reply(request.url ?? "") : reply;
      response.writeHead(status, headers);
      for (const chunk of typeof body === "string" ? [body] : body) response.write(chunk);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
