/**
 * Answers every request with one recorded stream, from memory; only the id of the call is put in, piece by piece, so that
 * the first byte goes out at once. One request at a time.
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { announce, portOf } from "./contract.js";

/** Bytes of a piece: whoever reads is to be the one who has to be waited for. */
const PIECE = 65_536;

interface Piece {
  readonly bytes: Buffer;
  /** Where the id stands in it. */
  readonly ids: readonly number[];
}

const events = readFileSync(process.env["RECORDED"] ?? "", "utf8").split(/(?<=\n\n)/);
const prepared = new Map<number, readonly Piece[]>();

/** Whole events, with room for an id of so many characters. */
function piecesFor(length: number): readonly Piece[] {
  const known = prepared.get(length);
  if (known !== undefined) return known;
  const pieces: Piece[] = [];
  let text = "";
  let bytes = 0;
  const ids: number[] = [];
  const cut = (): void => {
    if (text !== "") pieces.push({ bytes: Buffer.from(text), ids: ids.splice(0) });
    text = "";
    bytes = 0;
  };
  for (const event of events) {
    const [before = "", after] = event.split('"recorded"', 2);
    if (after !== undefined) ids.push(bytes + Buffer.byteLength(before));
    const own = after === undefined ? event : before + "0".repeat(length) + after;
    text += own;
    bytes += Buffer.byteLength(own);
    if (bytes >= PIECE) cut();
  }
  cut();
  prepared.set(length, pieces);
  return pieces;
}

const server = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8");
  request.on("data", (text: string) => (body += text));
  request.on("end", () => {
    const id = JSON.stringify((JSON.parse(body) as { id: unknown }).id);
    const pieces = piecesFor(id.length);
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    let next = 0;
    const more = (): void => {
      for (let piece = pieces[next]; piece !== undefined; piece = pieces[next]) {
        next += 1;
        for (const at of piece.ids) piece.bytes.write(id, at, "latin1");
        if (!response.write(piece.bytes)) return void response.once("drain", more);
      }
      response.end();
    };
    more();
  });
});
server.listen(0, "127.0.0.1", () => announce({ port: portOf(server), rpcPath: "/", restPath: "" }));
