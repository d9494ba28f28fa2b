import { expect, expectTypeOf, it } from "vitest";
import { convert } from "../../src/convert.js";
import type * as V02 from "../../generated/v0.2/types.js";
import type * as V03 from "../../generated/v0.3/types.js";
import type * as V10 from "../../generated/v1.0/types.js";

const message = { role: "ROLE_USER", messageId: "m", parts: [{ text: "a" }] };

it("the value has the type that its name and version say", () => {
  const { value } = convert("Message", message, { from: "1.0", to: "0.3" });
  expectTypeOf(value).toEqualTypeOf<V03.Message>();
  expect(value.kind).toBe("message");
  const older = { ...value, kind: "message" };
  expectTypeOf(convert("Message", older, { from: "0.3", to: "1.0.1" }).value).toEqualTypeOf<V10.Message>();
  const params = convert("SendMessageRequest", { message }, { from: "1.0.0", to: "0.2.6" });
  expectTypeOf(params.value).toEqualTypeOf<V02.MessageSendParams>();
  const requirement = convert("SecurityRequirement", { schemes: {} }, { from: "1.0", to: "0.3" });
  expectTypeOf(requirement.value).toEqualTypeOf<Record<string, string[]>>();
});

it("it is unknown where one of them is not known beforehand", () => {
  const [type, to]: string[] = ["Message", "0.3"];
  expectTypeOf(convert(type ?? "", message, { from: "1.0", to: "0.3" }).value).toBeUnknown();
  expectTypeOf(convert("Message", message, { from: "1.0", to: to ?? "" }).value).toBeUnknown();
});
