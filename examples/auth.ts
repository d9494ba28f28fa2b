/** An agent for callers with a token, and a client that shows one. */
import { createClient, httpJson, isA2AError } from "a2a-typed";
import { bearer } from "a2a-typed/auth";
import { defineAgent, serve } from "a2a-typed/server";
import { A2A, textOf, userMessage } from "a2a-typed/v1";

const agent = defineAgent({
  card: {
    name: "Ledger",
    description: "Books what it is told",
    skills: [{ id: "book", name: "Book", description: "Books an amount", tags: ["demo"] }],
  },
  handle: async (ctx, message) => `${String(ctx.principal)} booked ${textOf(message)}`,
});

// #region serve
await using server = await serve(agent, {
  port: 0,
  auth: {
    schemes: {
      token: bearer({
        "alices-token": { principal: "alice", scopes: ["book"] },
        "bobs-token": { principal: "bob", scopes: ["read"] },
      }),
    },
    requirements: [{ schemes: { token: { list: ["book"] } } }],
  },
  logger: { ...console, warn: () => undefined },
});
// #endregion serve

for (const token of ["alices-token", "bobs-token", "stolen-token"]) {
  const client = createClient(
    A2A,
    httpJson({ url: server.url, headers: { authorization: `Bearer ${token}` } }),
  );
  try {
    console.log(textOf(await client.sendMessage({ message: userMessage("12 euros") })));
  } catch (error) {
    if (!isA2AError(error)) throw error;
    console.log(error.reason, error.headers?.["www-authenticate"]);
  }
}
