import { describe, expect, it } from "vitest";
import { readAgentCard, selectInterface, type ReadCard } from "a2a-typed/client";
import { isA2AError, type A2AError } from "a2a-typed";
import { cardFiles, cardText, indexedCards } from "./cards.js";
import { outcomes } from "./outcomes.js";

const found = "https://host.example.com/.well-known/agent-card.json";
const spoken = { bindings: ["JSONRPC", "HTTP+JSON"], versions: ["1.0", "0.3"] };

/** What reading and choosing came to. */
function readAll(text: string, url: string | undefined = found): { read?: ReadCard; error?: A2AError } {
  try {
    return { read: readAgentCard(text, { url }) };
  } catch (error) {
    if (isA2AError(error)) return { error };
    throw error;
  }
}

const numberOf = (file: string): string => /^card-(\d+)/.exec(file)?.[1] ?? "";
const textOfCard = (number: string): string =>
  cardText(cardFiles.find((file) => numberOf(file) === number) ?? expect.fail(`no card ${number}`));

it("the index, the folder and the outcomes name the same cards", () => {
  expect(indexedCards.map(({ file }) => file).toSorted()).toEqual(cardFiles.toSorted());
  expect(Object.keys(outcomes).toSorted()).toEqual(cardFiles.map(numberOf).toSorted());
});

describe("cards of the wild", () => {
  it.each(indexedCards)("$file: $tolerantClient.usable", ({ file, tolerantClient: { usable, how } }) => {
    const { taken, refused, problems, at } = outcomes[numberOf(file)] ?? expect.fail("no outcome");
    const { read, error } = readAll(cardText(file), at);
    expect(usable.startsWith("yes")).toBe(read !== undefined);
    if (read === undefined) {
      expect(error?.reason).toBe("DECODE");
      expect(error?.violations?.map(({ pointer }) => pointer)).toEqual(refused);
      expect(error?.message).toContain(at ?? found);
      return;
    }
    const { protocolBinding, protocolVersion, url } = selectInterface(read.interfaces, spoken);
    expect(`${protocolBinding} ${protocolVersion} ${url}`).toBe(taken);
    expect(read.problems.map(({ pointer, code }) => `${pointer} ${code}`).toSorted()).toEqual(problems);
    // What the index says in words, as far as it names them.
    const said = /https?:\/\/[^\s,;()]+/.exec(how.replace(found, ""))?.[0];
    if (said !== undefined) expect(url).toBe(said);
    expect(how.includes("HTTP+JSON") || how.includes("JSONRPC")).toBe(true);
    if (!how.includes(protocolBinding)) expect(how).toContain("HTTP_JSON");
    expect(read.document).toEqual(JSON.parse(cardText(file)));
  });

  it("39 as it was found is no JSON, and the error names its address", () => {
    const { rawPrefix = expect.fail("no prefix") } = indexedCards.find(({ file }) => file.startsWith("card-39")) ?? {};
    const { error } = readAll(rawPrefix + textOfCard("39"), outcomes["39"]?.at);
    expect(error?.reason).toBe("DECODE");
    expect(error?.message).toMatch(/^https:\/\/agents\.example\.com\/registry\/agent39\/agent\.json is not JSON/);
  });

  it("35 needs the address of the card", () => {
    expect(() => readAgentCard(textOfCard("35"))).toThrow(/supportedInterfaces\[0\]\.url: is relative/);
  });

  it.each(["25", "44"])("%s claims 1.0 in the layout of 0.3: a client that pins 0.3 gets that", (number) => {
    const { interfaces } = readAgentCard(textOfCard(number), { url: found });
    expect(selectInterface(interfaces, { ...spoken, versions: ["0.3"] })).toMatchObject({
      protocolVersion: "0.3",
      assumed: true,
    });
  });

  it("22: a client of JSON-RPC alone says what the agent has", () => {
    const { interfaces } = readAgentCard(textOfCard("22"), { url: found });
    expect(() => selectInterface(interfaces, { ...spoken, bindings: ["JSONRPC"] })).toThrow(
      /HTTP\+JSON 0\.3 at https:\/\/agent22\.example\.com\/a2a\/app: binding HTTP\+JSON is none of JSONRPC/,
    );
  });

  it("45: the caller may prefer another binding; its signature is never called valid", () => {
    const { interfaces, signature, card, document } = readAgentCard(textOfCard("45"), { url: found });
    expect(selectInterface(interfaces, { ...spoken, prefer: "HTTP+JSON" }).url).toBe(
      "https://agent45.example.com/a2a/json",
    );
    expect(signature).toBe("unverified");
    expect(card.signatures).toEqual(document["signatures"]);
  });

  it("09: a top-level extensions block declares no extension; it is kept as it is", () => {
    const { card } = readAgentCard(textOfCard("09"), { url: found });
    expect(card.capabilities.extensions).toBeUndefined();
    expect(card).toHaveProperty("extensions.x402");
  });

  it("15: OpenAPI-style schemes of a 1.0 card, and an empty list of requirements is none", () => {
    const { card } = readAgentCard(textOfCard("15"), { url: found });
    expect(card.securitySchemes).toEqual({
      agentBearer: {
        httpAuthSecurityScheme: {
          scheme: "bearer",
          bearerFormat: "opaque",
          description: "Bearer credential for private operations.",
        },
      },
    });
    expect(card.securityRequirements ?? []).toEqual([]);
    expect(card).not.toHaveProperty("security");
  });

  it("25: a scheme of an unknown type is kept, the provider has its name", () => {
    const { card } = readAgentCard(textOfCard("25"), { url: found });
    expect(card.securitySchemes).toEqual({ x402Payment: { type: "x402", description: "Pay per call." } });
    expect(card.provider).toEqual({ organization: "Example Org", url: "https://example.org" });
  });

  it("44: empty texts are texts, and the data URL of its icon is kept", () => {
    const { card } = readAgentCard(textOfCard("44"), { url: found });
    expect(card).toMatchObject({ provider: { url: "", organization: "" }, documentationUrl: "" });
    expect(card.iconUrl).toMatch(/^data:image/);
    expect(card.capabilities.extensions).toHaveLength(5);
  });
});
