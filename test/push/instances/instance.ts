/** One of several servers on one store, as a process: its agent asks first, then writes as many artifacts as it is told. */
import { postgresStore } from "../../../src/postgres.js";
import { defineAgent, serve } from "../../../src/server.js";
import { sqliteStore } from "../../../src/store/sqlite/sqlite-store.js";
import { quiet, skill } from "../../server/agents.js";
import type { InstanceSetup } from "./start-instance.js";

const { place, push } = JSON.parse(process.argv[2] ?? "{}") as InstanceSetup;
const store = "path" in place ? await sqliteStore(place) : await postgresStore({ ...place, max: 4 });
const agent = defineAgent({
  card: { name: "Writer", description: "Writes", skills: [skill] },
  async handle(ctx, message) {
    if (ctx.turn === 1) return ctx.inputRequired("How many?");
    const count = Number(message.parts[0]?.text);
    for (let i = 0; i < count; i += 1) ctx.artifact(`number ${String(i)}`);
    return undefined;
  },
});
const options = { allow: ["127.0.0.1"], ...push };
const { url } = await serve(agent, { port: 0, store, push: options, logger: quiet });
console.log(url);
