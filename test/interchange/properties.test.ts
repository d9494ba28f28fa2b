import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decode, encode, tryDecode, type CodecType } from "../../src/codec.js";
import { valid } from "../convert/properties/arbitrary.js";
import { tables } from "../convert/properties/versions.js";

/** The types of the codec by the name that each generation has for them; cards are read by a reader of their own. */
const types: [type: CodecType, newer: string, older: string][] = [
  ["task", "Task", "Task"],
  ["status", "TaskStatus", "TaskStatus"],
  ["message", "Message", "Message"],
  ["artifact", "Artifact", "Artifact"],
  ["part", "Part", "Part"],
  ["event", "StreamResponse", "SendStreamingMessageResult"],
  ["statusUpdate", "TaskStatusUpdateEvent", "TaskStatusUpdateEvent"],
  ["artifactUpdate", "TaskArtifactUpdateEvent", "TaskArtifactUpdateEvent"],
  ["pushConfig", "TaskPushNotificationConfig", "TaskPushNotificationConfig"],
];
const runs = { numRuns: 100 };

const table = (version: string, name: string) => {
  const found = tables[version]?.[name];
  if (found === undefined) throw new Error(`No table ${name} of ${version}`);
  return found;
};

describe.each(types)("%s", (type, newer, older) => {
  it("of 1.0 is read as it is", () => {
    fc.assert(
      fc.property(valid(table("1.0", newer)), (value) => {
        expect(decode(type, value)).toBe(value);
      }),
      runs,
    );
  });

  it.each(["0.3", "0.2"])("of %s is read as with the version named, and stays as it was", (version) => {
    fc.assert(
      fc.property(valid(table(version, older)), (value) => {
        const before = JSON.stringify(value);
        const named = tryDecode(type, value, { version });
        const auto = tryDecode(type, value);
        expect(auto.ok, JSON.stringify(!auto.ok && auto.error)).toBe(named.ok);
        if (auto.ok && named.ok) expect(auto.value).toEqual(named.value);
        expect(JSON.stringify(value)).toBe(before);
      }),
      runs,
    );
  });

  it.each(["0.3", "0.2"])("written for %s is read again", (version) => {
    fc.assert(
      fc.property(valid(table("1.0", newer)), (value) => {
        // A configuration without a task is written with an empty id, which 0.x reads for none.
        fc.pre(type !== "pushConfig" || Object.hasOwn(value as object, "taskId"));
        const written = encode(type, value as never, { version });
        const auto = tryDecode(type, written);
        const named = tryDecode(type, written, { version });
        expect([auto.ok, named.ok], JSON.stringify(written)).toEqual([true, true]);
        if (auto.ok && named.ok) expect(auto.value).toEqual(named.value);
      }),
      runs,
    );
  });
});
