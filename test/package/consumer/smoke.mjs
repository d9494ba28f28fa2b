// Imports every subpath of the installed package, then lets a client of it talk to a server of it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const { exports } = JSON.parse(
  readFileSync(new URL("node_modules/a2a-typed/package.json", import.meta.url), "utf8"),
);
const typesOnly = new Set(["./codegen-v1"]);
let count = 0;
for (const subpath of Object.keys(exports)) {
  const name = `a2a-typed${subpath.slice(1)}`;
  const module = subpath.endsWith(".json")
    ? await import(name, { with: { type: "json" } })
    : await import(name);
  assert.ok(typesOnly.has(subpath) || Object.keys(module).length > 0, `${name} exports nothing`);
  count += 1;
}

const { createClient, jsonRpc, A2AError } = await import("a2a-typed");
const { A2AError: sameError } = await import("a2a-typed/client");
assert.equal(A2AError, sameError, "one class in every subpath");
const { A2A, textOf, userMessage } = await import("a2a-typed/v1");
const { defineAgent, serve } = await import("a2a-typed/server");
const server = await serve(
  defineAgent({
    card: { name: "Echo", description: "Says what it hears.", skills: [] },
    handle: async (_ctx, message) => `echo: ${textOf(message)}`,
  }),
  { port: 0 },
);
const client = createClient(A2A, jsonRpc({ url: server.url }));
const reply = await client.sendMessage({ message: userMessage("hello") });
assert.equal(textOf(reply), "echo: hello");
await client.close();
await server.close();
console.log(`Node ${process.versions.node}: ${count} subpaths, ${textOf(reply)}`);
