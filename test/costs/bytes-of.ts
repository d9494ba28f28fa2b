import { connect } from "node:net";
import type { BenchRequest } from "../../bench/harness/requests.js";
import type { ServerProcess } from "../../bench/harness/server-process.js";

/**
 * What a server writes to the socket in answer to a request, with each id and time as a placeholder, the head line by line in
 * alphabetical order, and a body in chunks put together: how a stream is cut into chunks is a matter of time.
 */
export async function bytesOf(server: ServerProcess, sent: BenchRequest): Promise<string> {
  const [head, body] = split(await talk(server, sent));
  const [status = "", ...lines] = head.split("\r\n");
  const chunked = lines.some((line) => /^transfer-encoding: chunked$/i.test(line));
  const text = chunked ? joinChunks(body) : body;
  return [status, ...lines.map(masked).toSorted(), "", masked(text)].join("\n");
}

const split = (text: string): [string, string] => {
  const at = text.indexOf("\r\n\r\n");
  return [text.slice(0, at), text.slice(at + 4)];
};

const masked = (text: string): string =>
  text
    .replaceAll(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, "<id>")
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "<time>")
    .replace(/^Date: .*/i, "Date: <date>");

function joinChunks(body: string): string {
  let text = "";
  for (let at = 0; ;) {
    const end = body.indexOf("\r\n", at);
    const size = Number.parseInt(body.slice(at, end), 16);
    if (size === 0) return text;
    text += body.slice(end + 2, end + 2 + size);
    at = end + 2 + size + 2;
  }
}

/** One request on a connection of its own, until the answer is complete. */
function talk(server: ServerProcess, { method, path, headers, body = "" }: BenchRequest): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, "127.0.0.1");
    let text = "";
    socket.setEncoding("latin1");
    socket.on("error", reject);
    socket.on("data", (chunk: string) => {
      text += chunk;
      if (!isWhole(text)) return;
      socket.destroy();
      resolve(text);
    });
    const lines = Object.entries({ host: "bench", ...headers, "content-length": String(body.length) });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    socket.write(`${method} ${path} HTTP/1.1\r\n${head}\r\n${body}`);
  });
}

function isWhole(text: string): boolean {
  const [head, body] = split(text);
  const length = /content-length: (\d+)/i.exec(head)?.[1];
  return length === undefined ? text.endsWith("\r\n0\r\n\r\n") : body.length >= Number(length);
}
