/** The shapes of security schemes, as the card tables decode them. */
import { describe, expect, it } from "vitest";
import { readAgentCard } from "../../src/client.js";
import { decode } from "../../src/codec/decode.js";
import { isA2AError } from "../../src/errors.js";
import { securityRequirementTable, securitySchemeTable } from "../../src/versions/pivot.js";

const read = (scheme: unknown): unknown => {
  try {
    return decode(securitySchemeTable, scheme, { direction: "reply" });
  } catch (error) {
    return isA2AError(error) ? error.message : error;
  }
};
const url = (path: string): string => `https://id.example.com/${path}`;
const flows = (value: object): unknown => read({ oauth2SecurityScheme: { flows: value } });
const scopes = { read: "Read things" };

/** Each of the schemes, complete. */
const schemes = {
  apiKeySecurityScheme: { location: "header", name: "X-Key" },
  httpAuthSecurityScheme: { scheme: "Bearer", bearerFormat: "JWT" },
  oauth2SecurityScheme: {
    flows: { clientCredentials: { tokenUrl: url("t"), scopes } },
    oauth2MetadataUrl: url("m"),
  },
  openIdConnectSecurityScheme: { openIdConnectUrl: url("o") },
  mtlsSecurityScheme: {},
};

describe("a scheme", () => {
  it("is exactly one of five (A2A-4.5.1-a, A2A-4.5.6-a)", () => {
    for (const [name, scheme] of Object.entries(schemes))
      expect(read({ [name]: scheme })).toEqual({ [name]: scheme });
    expect(read({})).toMatch(/exactly one|one of/);
    expect(read({ apiKeySecurityScheme: schemes.apiKeySecurityScheme, mtlsSecurityScheme: {} })).toMatch(
      /one/,
    );
  });

  it.each([
    ["apiKeySecurityScheme", "location"],
    ["apiKeySecurityScheme", "name"],
    ["httpAuthSecurityScheme", "scheme"],
    ["oauth2SecurityScheme", "flows"],
    ["openIdConnectSecurityScheme", "openIdConnectUrl"],
  ] as const)("%s needs its %s (A2A-4.5.2-a, A2A-4.5.3-a, A2A-4.5.4-a, A2A-4.5.5-a)", (name, member) => {
    const { [member]: _left, ...rest } = schemes[name] as Record<string, unknown>;
    expect(read({ [name]: rest })).toBe(`${name}.${member}: required, found nothing`);
  });
});

describe("a flow", () => {
  const complete = {
    authorizationCode: {
      authorizationUrl: url("a"),
      tokenUrl: url("t"),
      scopes,
      refreshUrl: url("r"),
      pkceRequired: true,
    },
    clientCredentials: { tokenUrl: url("t"), scopes },
    implicit: { authorizationUrl: url("a"), refreshUrl: url("r"), scopes: {} },
    password: { tokenUrl: url("t"), refreshUrl: url("r"), scopes: {} },
    deviceCode: { deviceAuthorizationUrl: url("d"), tokenUrl: url("t"), scopes },
  };

  it("is exactly one of five (A2A-4.5.7-a, A2A-4.5.d-a)", () => {
    for (const [name, flow] of Object.entries(complete)) {
      expect(flows({ [name]: flow })).toEqual({ oauth2SecurityScheme: { flows: { [name]: flow } } });
    }
    const { deviceCode, clientCredentials } = complete;
    expect(flows({ deviceCode, clientCredentials })).toMatch(/oauth2SecurityScheme\.flows.*one/);
    expect(flows({})).toMatch(/oauth2SecurityScheme\.flows.*one/);
  });

  it.each([
    ["authorizationCode", "authorizationUrl"],
    ["authorizationCode", "tokenUrl"],
    ["authorizationCode", "scopes"],
    ["clientCredentials", "tokenUrl"],
    ["clientCredentials", "scopes"],
    ["deviceCode", "deviceAuthorizationUrl"],
    ["deviceCode", "tokenUrl"],
    ["deviceCode", "scopes"],
  ] as const)("%s needs its %s (A2A-4.5.8-a, A2A-4.5.9-a, A2A-4.5.10-a)", (name, member) => {
    const { [member]: _left, ...rest } = complete[name] as Record<string, unknown>;
    expect(flows({ [name]: rest })).toBe(
      `oauth2SecurityScheme.flows.${name}.${member}: required, found nothing`,
    );
  });
});

describe("a requirement", () => {
  it("maps names of schemes to lists of scopes (A2A-4.5.x-a)", () => {
    const requirement = { schemes: { google: { list: ["openid"] }, key: { list: [] } } };
    expect(decode(securityRequirementTable, requirement, { direction: "reply" })).toEqual(requirement);
    expect(() =>
      decode(securityRequirementTable, { google: { list: [] }, schemes: [] }, { direction: "request" }),
    ).toThrow("schemes");
  });

  it("is read in the shorthand of OpenAPI only where cards of strangers are (A2A-4.5.x-a)", () => {
    const { card } = readAgentCard({
      name: "A",
      description: "An agent",
      version: "1",
      supportedInterfaces: [{ url: url("a"), protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
      capabilities: {},
      skills: [],
      defaultInputModes: [],
      defaultOutputModes: [],
      securitySchemes: { google: { openIdConnectSecurityScheme: { openIdConnectUrl: url("o") } } },
      security: [{ google: ["openid"] }],
    });
    expect(card.securityRequirements).toEqual([{ schemes: { google: { list: ["openid"] } } }]);
  });
});
