import { defineAgent, type Agent } from "../server.js";
import { textOf } from "../versions/pivot.js";

/** The agent of `a2a-typed serve`: it says what it hears, a word at a time. */
export const echoAgent = (): Agent =>
  defineAgent({
    card: {
      name: "Echo",
      description: "Says what it hears.",
      skills: [{ id: "echo", name: "Echo", description: "Repeats a message.", tags: ["demo"] }],
    },
    async *handle(_ctx, message) {
      yield "echo: ";
      for (const word of textOf(message).split(/(?<=\s)/)) yield word;
    },
  });
