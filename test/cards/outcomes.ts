/** What a client makes of a card: an interface to call, or an error. */
export interface Outcome {
  /** `binding version url` of the interface that is taken. */
  readonly taken?: string;
  /** Pointers of the violations. */
  readonly refused?: readonly string[];
  /** `pointer code` of each problem. */
  readonly problems?: readonly string[];
  /** Where the card was found; default below `https://host.example.com`. */
  readonly at?: string;
}

const none: Outcome = { refused: ["/supportedInterfaces"] };
const noVersion = "/protocolVersion missing_version";
const authentication = "/authentication unread_member";

/** By the number of the card. */
export const outcomes: Readonly<Record<string, Outcome>> = {
  "06": { refused: ["/supportedInterfaces/0/url"] },
  "07": {
    // "Probe or configure": a card without version is taken for 0.3, whose methods 0.2 has too; 0.1 is not spoken
    // (decision 20).
    taken: "JSONRPC 0.3 http://localhost:6002",
    problems: [
      authentication,
      noVersion,
      "/skills/0/tags missing_member",
      "/skills/1/tags missing_member",
      "/url private_url",
    ],
  },
  "08": { refused: ["/capabilities", "/supportedInterfaces", "/communication"] },
  "09": {
    taken: "JSONRPC 0.3 https://api.agent09.example.com/a2a",
    problems: ["/extensions unread_member"],
  },
  "10": { taken: "JSONRPC 0.3 https://mcp.example.com/agent10/a2a", problems: [] },
  "13": { refused: ["/supportedInterfaces", "/services"] },
  "15": {
    taken: "JSONRPC 1.0 https://agent15.example.com/a2a",
    problems: ["/securitySchemes/agentBearer legacy_scheme"],
  },
  "17": {
    taken: "JSONRPC 0.3 https://agent17.example.com/a2a/example_agent_17",
    problems: [noVersion],
  },
  "18": { refused: ["/url"] },
  "19": { taken: "HTTP+JSON 1.0 https://agent19.example.com/a2a/", problems: [] },
  "21": { refused: ["/name", "/supportedInterfaces"] },
  "22": { taken: "HTTP+JSON 0.3 https://agent22.example.com/a2a/app", problems: [] },
  "25": {
    // It claims 1.0 in the layout of 0.3: taken at its word first (version mapping 4.2), and as 0.3 by whoever pins
    // that or falls back.
    taken: "JSONRPC 1.0 https://agent25.example.com/api/a2a",
    problems: [
      authentication,
      "/protocolVersion claimed_version",
      "/provider/name legacy_name",
      "/securitySchemes/x402Payment opaque_scheme",
    ],
  },
  "27": { refused: ["/capabilities"] },
  "28": { refused: ["/capabilities", "/supportedInterfaces/0"] },
  "29": { refused: ["/supportedInterfaces", "/interfaces/0/type"] },
  "30": { refused: ["/supportedInterfaces", "/services"] },
  "31": none,
  "32": {
    taken: "JSONRPC 0.3 https://api.agent32.example.com",
    problems: [authentication, noVersion],
  },
  "33": { taken: "JSONRPC 0.3 https://agent33.example.com", problems: [authentication, noVersion] },
  "35": {
    taken: "HTTP+JSON 1.0 https://host.example.com/api/a2a",
    problems: ["/supportedInterfaces/0/url relative_url"],
  },
  "36": { taken: "JSONRPC 0.3 https://agent36.example.com", problems: [] },
  "37": {
    taken: "JSONRPC 0.3 http://localhost:8000/a2a/human_in_loop",
    problems: [noVersion, "/url private_url"],
  },
  "39": { at: "https://agents.example.com/registry/agent39/agent.json", refused: ["/url"] },
  "41": { refused: ["/supportedInterfaces", "/services"] },
  "44": {
    taken:
      "HTTP+JSON 1.0 https://analytics.us.example.com/v1beta/a2a/projects/example-project/locations/us/dataAgents/agent_44",
    problems: [
      "/additionalInterfaces/0/url unusable_interface",
      "/additionalInterfaces/1/url unusable_interface",
      "/preferredTransport binding_name",
      "/protocolVersion claimed_version",
    ],
  },
  "45": {
    taken: "JSONRPC 1.0 https://agent45.example.com/a2a/v1",
    problems: ["/signatures unverified_signature"],
  },
};
