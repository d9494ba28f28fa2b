// JSON of any version into the newest shape, and back: npx tsx examples/codec.ts
// #region decode
import { decode, encode, tryDecode, type Loss } from "a2a-typed/codec";
import { textOf } from "a2a-typed/v1";

// From the body of a webhook, a stored task, a peer's reply: of whatever version.
const event = decode("event", {
  kind: "task",
  id: "t1",
  contextId: "c1",
  status: { state: "completed" },
  artifacts: [{ artifactId: "a1", parts: [{ kind: "text", text: "done" }] }],
});
if (event.task) console.log(event.task.status.state, textOf(event.task));
// #endregion decode

// #region encode
const losses: Loss[] = [];
const part = encode("part", { text: "<b>hi</b>", mediaType: "text/html" }, { version: "0.3", losses });
console.log(JSON.stringify(part), JSON.stringify(losses));
// #endregion encode

// #region try
const read = tryDecode("message", { role: "user", parts: [{ text: "hi" }] });
console.log(read.ok ? textOf(read.value) : read.error.message);
// #endregion try

// #region states
import { decodeState, encodeState, validStates } from "a2a-typed/codec";

console.log(decodeState("input-required"), encodeState("TASK_STATE_CANCELED", "0.3"));
console.log(validStates("0.3").join(" "));
// #endregion states

// #region card
import { encodeAgentCard } from "a2a-typed/codec";

const card = {
  name: "Echo",
  description: "Says it again.",
  version: "1.0.0",
  skills: [{ id: "echo", name: "Echo", description: "Says it again.", tags: ["demo"] }],
};
const overrides = {
  url: "https://agent.example.com",
  securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
  security: [{ bearer: [] }],
};
console.log(JSON.stringify(encodeAgentCard(card, overrides)));
console.log(JSON.stringify(encodeAgentCard(card, overrides, { version: "0.3" })));
// #endregion card
