/** A server that ends at a signal: its handlers take as many milliseconds as they are told. */
import { defineAgent, serve } from "../../../src/server.js";
import { textOf } from "../../../src/versions/pivot.js";
import { skill } from "../agents.js";

const agent = defineAgent({
  card: { name: "Child", description: "Takes its time", skills: [skill] },
  async *handle(_ctx, message) {
    yield "begun ";
    await new Promise((resolve) => setTimeout(resolve, Number(textOf(message))));
    yield "done";
  },
});
const { url } = await serve(agent, { port: 0, signals: true, push: true });
console.log(url);
