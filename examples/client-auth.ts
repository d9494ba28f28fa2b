/** An agent that asks for credentials, and clients that have them: `client-auth.ts [issuer]`. */
import { bearer as tokens, apiKey as keys } from "a2a-typed/auth";
import { connect } from "a2a-typed/client";
import { bearer, clientCredentials, credentials, tokenExchange } from "a2a-typed/client-auth";
import { defineAgent, serve } from "a2a-typed/server";

const agent = defineAgent({
  card: {
    name: "Ledger",
    description: "Books what it is told",
    skills: [{ id: "book", name: "Book", description: "Books an amount", tags: ["demo"] }],
  },
  handle: async (ctx) => `booked for ${String(ctx.principal)}`,
});

await using server = await serve(agent, {
  port: 0,
  auth: {
    schemes: {
      token: tokens((token) => ({ principal: token === "alices-token" ? "alice" : "a token" })),
      key: keys({ in: "query", name: "key", keys: { "bobs-key": { principal: "bob" } } }),
    },
  },
  logger: { ...console, warn: () => undefined },
});
const { url } = server;

{
  // #region bearer
  await using agent = await connect(url, { auth: bearer("alices-token") });
  console.log((await agent.send("12 euros")).text()); // booked for alice
  // #endregion bearer
}

{
  // #region credentials
  await using agent = await connect(url, {
    auth: credentials({ key: "bobs-key", company: { username: "bob", password: "secret" } }),
  });
  console.log((await agent.send("12 euros")).text()); // booked for bob
  // #endregion credentials
}

const [, , issuer] = process.argv;
if (issuer !== undefined) {
  // #region oauth
  const own = clientCredentials({
    issuer,
    clientId: "agent",
    clientSecret: process.env["CLIENT_SECRET"],
  });
  await using agent = await connect(url, { auth: own });
  console.log((await agent.send("12 euros")).text());
  // #endregion oauth

  const callersToken = await own.token();
  // #region exchange
  const onBehalf = tokenExchange({
    issuer,
    clientId: "agent",
    clientSecret: process.env["CLIENT_SECRET"],
    subjectToken: () => callersToken,
    actorToken: own,
    resource: url,
  });
  await using delegate = await connect(url, { auth: onBehalf });
  // #endregion exchange
  console.log((await delegate.send("12 euros")).text());
}
