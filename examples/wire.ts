// Speaks 0.3 with nothing but fetch: npx tsx examples/wire.ts http://127.0.0.1:8080
// #region wire
import { decode } from "a2a-typed/codec";
import { textOf, userMessage } from "a2a-typed/v1";
import { wireFor } from "a2a-typed/wire";

const url = process.argv[2] ?? "http://127.0.0.1:8080";
const wire = wireFor("0.3");
const card: unknown = await (await fetch(new URL(wire.cardPath, url))).json();

const response = await fetch(wire.endpointFrom(card) ?? url, {
  method: "POST",
  headers: wire.headers(),
  body: JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: wire.methodName("sendMessage"),
    params: wire.encodeParams({ message: userMessage("hello") }),
  }),
});
const { result } = (await response.json()) as { result: unknown };
const reply = decode("event", result, { version: wire.version });
console.log(wire.header, textOf(reply));
// #endregion wire
