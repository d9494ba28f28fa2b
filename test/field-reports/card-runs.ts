import { expect } from "vitest";
import {
  readAgentCard,
  selectInterface,
  type ReadCard,
  type ReadCardOptions,
  type SelectOptions,
} from "a2a-typed/client";
import { expectedOf, inputOf, type FieldCase, type Run } from "./cases.js";

const at = "https://a.example.com/.well-known/agent-card.json";
const body = {
  name: "A",
  description: "d",
  version: "1",
  capabilities: {},
  defaultInputModes: ["text"],
  defaultOutputModes: ["text"],
  skills: [],
};
const supportedInterfaces = [
  { url: "https://a.example.com/rpc", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
];

const read = (members: object, options: ReadCardOptions = {}): ReadCard =>
  readAgentCard({ ...body, ...members }, { url: at, ...options });
const codes = ({ problems }: ReadCard): string[] => problems.map(({ pointer, code }) => `${pointer} ${code}`);
/** A 1.0 card that has the requirement of the case. */
const requiring = ({ input }: FieldCase): object => ({ supportedInterfaces, securityRequirements: [input] });

const select: Run = (fieldCase) => {
  const input = inputOf<{ client: SelectOptions; supportedInterfaces: object[] }>(fieldCase);
  const { interfaces } = read({ supportedInterfaces: input.supportedInterfaces });
  expect(selectInterface(interfaces, input.client).url).toBe(fieldCase.expected);
};

const shorthand: Run = (fieldCase) => {
  const result = read(requiring(fieldCase));
  expect(result.card.securityRequirements).toEqual([fieldCase.expected]);
  expect(codes(result)[0]).toMatch(/^\/securityRequirements\/0\S* legacy_requirement$/);
};

/** A card whose URL is legal, and told to be of no use. */
const advised =
  (code: string): Run =>
  (fieldCase) => {
    const { cardUrl = at, ...members } = inputOf<{ cardUrl?: string }>(fieldCase);
    const result = read({ protocolVersion: "0.3.0", ...members }, { url: cardUrl, strict: true });
    expect(codes(result)).toEqual([`/url ${code}`]);
    expect(result.interfaces[0]?.usable).toBe(true);
  };

/** Cases of reading a card and choosing what to call. */
export const cardRuns: Record<string, Run> = {
  B039a: (fieldCase) => {
    const violations = [expect.objectContaining({ pointer: "/securityRequirements/0" })];
    expect(() => read(requiring(fieldCase), { strict: true })).toThrow(
      expect.objectContaining({ reason: "DECODE", violations }),
    );
  },
  B039b: shorthand,
  B039d: shorthand,
  B040b: (fieldCase) => {
    const result = read({ supportedInterfaces, ...inputOf<object>(fieldCase) });
    expect(result.card).toMatchObject(expectedOf<object>(fieldCase));
    expect(result.card).not.toHaveProperty("supportsAuthenticatedExtendedCard");
    expect(codes(result)).toEqual(["/supportsAuthenticatedExtendedCard contradiction"]);
  },
  B078a: select,
  B078b: select,
  B081: select,
  B142: advised("operation_url"),
  B143: (fieldCase) => {
    const { cardUrl, url } = inputOf<{ cardUrl: string; url: string }>(fieldCase);
    const result = read({ url, protocolVersion: "0.3.0" }, { url: cardUrl });
    const { endpoint, warning } = expectedOf<{ endpoint: string; warning: string }>(fieldCase);
    expect(selectInterface(result.interfaces).url).toBe(endpoint);
    // It also looks like the address of a card.
    expect(codes(result)).toEqual([`/url ${warning.replace(" ", "_")}`, "/url card_url"]);
  },
  B144: advised("unroutable_url"),
  B148: (fieldCase) => {
    const { card, problems } = readAgentCard(inputOf<object>(fieldCase), { url: at });
    expect(card).toMatchObject(expectedOf<object>(fieldCase));
    expect(problems.map(({ pointer }) => pointer).toSorted()).toEqual(["/capabilities", "/protocolVersion"]);
  },
};
