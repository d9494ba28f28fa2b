import { describe, expect, it } from "vitest";
import { decodeMessage } from "../../src/protobuf/decode-message.js";
import { encodeMessage } from "../../src/protobuf/encode-message.js";
import kept from "./official-bytes.json" with { type: "json" };
import { messageOf, spoken } from "./messages.js";

/** Samples whose bytes Google's implementation wrote, from the official proto files (`npm run test:bytes -- --write`). */
const samples: Readonly<
  Record<string, Readonly<Record<string, readonly { json: string; bytes: string }[]>>>
> = kept;

describe.each(spoken)("$name", ({ name, messages, model }) => {
  it("has samples of every message of its proto", () => {
    const wellKnown = ["Empty"];
    expect(Object.keys(samples[name] ?? {})).toEqual(
      messages.map((message) => message.name).filter((message) => !wellKnown.includes(message)),
    );
  });

  it.each(Object.entries(samples[name] ?? {}))("%s", (message, all) => {
    const { wire } = messageOf(name, message);
    expect(wire.name).toBe(`${model.service.package ?? ""}.${message}`);
    expect(all.length).toBeGreaterThan(0);
    for (const { json, bytes } of all) {
      const value: unknown = JSON.parse(json);
      expect(Buffer.from(encodeMessage(wire, value)).toString("hex")).toBe(bytes);
      expect(decodeMessage(wire, Buffer.from(bytes, "hex"))).toEqual(value);
    }
  });
});
