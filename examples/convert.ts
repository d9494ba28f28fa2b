// #region convert
import { convert } from "a2a-typed/convert";

const { value, losses } = convert(
  "Message",
  {
    messageId: "m1",
    role: "ROLE_USER",
    parts: [{ text: "<b>hello</b>", mediaType: "text/html" }, { data: [1, 2] }],
  },
  { from: "1.0", to: "0.3" },
);
console.log(JSON.stringify(value, null, 2));
for (const { path, code } of losses) console.log(`${path}: ${code}`); // /parts/0/mediaType: dropped
// #endregion convert
