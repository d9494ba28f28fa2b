import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readAgentCard, selectInterface, type CardInterface, type SelectOptions } from "a2a-typed/client";
import { isA2AError } from "a2a-typed";
import { rankInterfaces } from "../../../src/client/card/select-interface.js";

interface SelectionCase {
  readonly id: string;
  readonly card: object;
  readonly client: SelectOptions;
  readonly expect: { readonly error?: string; readonly url?: string };
  readonly note: string;
}

const { clientSelection } = JSON.parse(
  readFileSync(new URL("../../vectors/shared/wire.json", import.meta.url), "utf8"),
) as { clientSelection: SelectionCase[] };

const rest = { name: "A", description: "d", version: "1", capabilities: {}, skills: [] };
const read = (card: object): readonly CardInterface[] => readAgentCard({ ...rest, ...card }).interfaces;

describe("the interface that is taken (version mapping 4.2, A2A-8.3.2-a, A2A-8.3.2-b)", () => {
  it.each(clientSelection)("$id: $note", ({ card, client, expect: wanted }) => {
    if (wanted.error === undefined) {
      expect(selectInterface(read(card), client)).toMatchObject(wanted);
      if (!("tenant" in wanted)) expect(selectInterface(read(card), client).tenant).toBeUndefined();
    } else {
      expect(wanted.error).toBe("NoCompatibleInterface");
      expect(() => selectInterface(read(card), client)).toThrow(
        expect.objectContaining({ reason: "NO_COMPATIBLE_INTERFACE" }),
      );
    }
  });

  it("runs every case of the vectors", () => {
    expect(clientSelection).toHaveLength(12);
  });

  const many = read({
    supportedInterfaces: [
      { url: "https://a/grpc", protocolBinding: "GRPC", protocolVersion: "1.0" },
      { url: "https://a/rest", protocolBinding: "HTTP+JSON", protocolVersion: "0.3" },
      { url: "https://a/rpc", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      { url: "https://a/rest1", protocolBinding: "http_json", protocolVersion: "1.0" },
      { url: "https://a/{x}", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
    ],
  });
  const urls = (options: SelectOptions): string[] => rankInterfaces(many, options).map(({ url }) => url);

  it("the card decides between bindings, a preference over the card, and a restriction over both", () => {
    const bindings = ["JSONRPC", "HTTP+JSON"];
    expect(urls({ bindings })).toEqual(["https://a/rest1", "https://a/rest", "https://a/rpc"]);
    expect(urls({ bindings, prefer: "JSON-RPC" })).toEqual([
      "https://a/rpc",
      "https://a/rest1",
      "https://a/rest",
    ]);
    expect(urls({ bindings: ["JSONRPC"], prefer: ["HTTP+JSON"] })).toEqual(["https://a/rpc"]);
    expect(urls({})).toEqual(["https://a/grpc", "https://a/rest1", "https://a/rest", "https://a/rpc"]);
  });

  it("names of bindings are read as those of cards are", () => {
    const bindings = ["json-rpc", "REST"];
    expect(urls({ bindings, versions: ["1.0"] })).toEqual(["https://a/rpc", "https://a/rest1"]);
  });

  it("versions are compared by Major.Minor", () => {
    expect(urls({ bindings: ["HTTP+JSON"], versions: ["0.3.0"] })).toEqual(["https://a/rest"]);
    expect(urls({ bindings: ["JSONRPC"], versions: ["1.0.1"] })).toEqual(["https://a/rpc"]);
  });

  it("the error says of each interface why it was not taken", () => {
    try {
      selectInterface(many, { bindings: ["HTTP+JSON"], versions: ["2.0"] });
      expect.fail("it took one");
    } catch (error) {
      if (!isA2AError(error, "NO_COMPATIBLE_INTERFACE")) throw error;
      expect(error.message).toBe(
        "The agent has no interface that could be used: " +
          "GRPC 1.0 at https://a/grpc: binding GRPC is none of HTTP+JSON; " +
          "HTTP+JSON 0.3 at https://a/rest: version 0.3 is none of 2.0; " +
          "JSONRPC 1.0 at https://a/rpc: binding JSONRPC is none of HTTP+JSON; " +
          "HTTP+JSON 1.0 at https://a/rest1: version 1.0 is none of 2.0; " +
          "JSONRPC 1.0 at https://a/{x}: holds a placeholder that nobody filled in ({x})",
      );
      expect(error.violations?.map(({ pointer }) => pointer)).toEqual([
        "/supportedInterfaces/0",
        "/supportedInterfaces/1",
        "/supportedInterfaces/2",
        "/supportedInterfaces/3",
        "/supportedInterfaces/4/url",
      ]);
    }
  });
});
