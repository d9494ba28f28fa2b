/** What the agent of every server does, told by the text of a message. */
export type Scene =
  | { readonly do: "complete"; readonly text: string }
  | { readonly do: "message"; readonly text: string }
  | { readonly do: "stream"; readonly chunks: readonly string[] }
  | { readonly do: "ask"; readonly question: string }
  | { readonly do: "tick" }
  | { readonly do: "release"; readonly taskId: string };

/** Reads the text of a first message; an answer to a question is completed whatever it says. */
export function sceneOf(text: string, answers = false): Scene {
  if (answers) return { do: "complete", text: `heard ${text}` };
  const [word = "", argument = ""] = text.split(" ");
  if (word === "message") return { do: "message", text: "heard message" };
  if (word === "ask") return { do: "ask", question: "Which city?" };
  if (word === "tick") return { do: "tick" };
  if (word === "release") return { do: "release", taskId: argument };
  if (word === "stream")
    return { do: "stream", chunks: Array.from({ length: Number(argument) }, (_, n) => `${n} `) };
  return { do: "complete", text: `heard ${text}` };
}

/** Time between two chunks of a task that ticks, in ms. */
export const tickMs = 25;
