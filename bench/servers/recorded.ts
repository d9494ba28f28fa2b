/** Answers every request with one recorded stream, from memory; only the id of the call is put in. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { announce, portOf } from "./contract.js";

/** Bytes of a piece, as a busy server's socket would hand them on. */
const PIECE = 16_384;

const recorded = readFileSync(process.env["RECORDED"] ?? "", "utf8");

const server = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8");
  request.on("data", (text: string) => (body += text));
  request.on("end", () => {
    const { id } = JSON.parse(body) as { id: unknown };
    const bytes = Buffer.from(recorded.replaceAll('"id":"recorded"', `"id":${JSON.stringify(id)}`));
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    let at = 0;
    const more = (): void => {
      while (at < bytes.length) {
        const piece = bytes.subarray(at, (at += PIECE));
        if (!response.write(piece)) return void response.once("drain", more);
      }
      response.end();
    };
    more();
  });
});
server.listen(0, "127.0.0.1", () => announce({ port: portOf(server), rpcPath: "/", restPath: "" }));
