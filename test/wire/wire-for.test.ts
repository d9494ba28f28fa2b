import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { MethodDescriptor, ServiceDescriptor } from "../../src/descriptor.js";
import { A2AError } from "../../src/errors.js";
import { loadBridge } from "../../src/versions/bridges.js";
import { lines } from "../../src/versions/conversions.js";
import { pivot } from "../../src/versions/pivot.js";
import { wireFor, type Loss, type Operation } from "../../src/wire.js";

type Row = { readonly op: string } & Readonly<Record<string, string | null>>;
interface Headers {
  readonly extensions: Readonly<Record<string, string | readonly string[]>>;
  readonly version: Readonly<Record<string, string>>;
  readonly wellKnown: Readonly<Record<string, string>>;
  readonly mediaTypes: Readonly<Record<string, string>>;
}
const { methods, headers } = JSON.parse(
  readFileSync(new URL("../vectors/shared/wire.json", import.meta.url), "utf8"),
) as { methods: Row[]; headers: Headers };

/** The operations of the shared table, by the names that they have here. */
const operations: Readonly<Record<string, Operation>> = {
  send: "sendMessage",
  stream: "sendStreamingMessage",
  getTask: "getTask",
  listTasks: "listTasks",
  cancelTask: "cancelTask",
  subscribe: "subscribeToTask",
  pushCreate: "createTaskPushNotificationConfig",
  pushGet: "getTaskPushNotificationConfig",
  pushList: "listTaskPushNotificationConfigs",
  pushDelete: "deleteTaskPushNotificationConfig",
  extendedCard: "getExtendedAgentCard",
};
const operationOf = (op: string): Operation => operations[op] ?? "sendMessage";
const newer: Readonly<Record<string, MethodDescriptor>> = pivot.methods;
const proto = await loadBridge("0.3/proto");

/** `GET|POST /v1/{name=tasks/*}:subscribe` as verbs and a path without the names of variables. */
const shape = (method: MethodDescriptor | undefined): string[] | undefined =>
  method?.rest && [...new Set(method.rest.map(({ verb, path }) => `${verb} ${unnamed(path)}`))].sort();
const unnamed = (path: string): string =>
  path.replaceAll(/\{(?:[^}=]+=)?([^}]*)\}/g, (_, pattern: string) =>
    pattern.includes("*") ? pattern.replaceAll("*", "{}") : "{}",
  );
const expected = (cell: string | null | undefined): string[] | undefined => {
  const [, verbs = "", path = ""] = /^(\S+) (\S+)$/.exec(cell ?? "") ?? [];
  return cell ? verbs.split("|").map((verb) => `${verb} ${unnamed(path)}`) : undefined;
};

describe("the table of operations", () => {
  it("has every operation", () => {
    expect(methods.map(({ op }) => operations[op]).sort()).toEqual(Object.keys(pivot.methods).sort());
  });

  it.each(methods.map((row) => [row.op, row] as const))("%s", (op, row) => {
    const operation = operationOf(op);
    for (const version of ["0.2", "0.3", "1.0"]) {
      // Of a card that has an address of its own instead of a method, the table gives the address.
      const name = row[`jsonrpc${version}`]?.startsWith("HTTP ") ? null : row[`jsonrpc${version}`];
      const wire = wireFor(version);
      expect(wire.methods[operation] ?? null, version).toBe(name);
      if (typeof name === "string") expect(wire.methodName(operation)).toBe(name);
      else
        expect(() => wire.methodName(operation)).toThrow(
          expect.objectContaining({ reason: "UNSUPPORTED_OPERATION", code: -32004 }) as Error,
        );
    }
    const older = proto.byNearName.get(operation)?.far;
    expect(newer[operation]?.grpc).toBe(row["grpc1.0"]);
    expect(older?.grpc ?? null).toBe(row["grpc0.3"]);
    expect(shape(newer[operation])).toEqual(expected(row["rest1.0"]));
    expect(shape(older)).toEqual(expected(row["rest0.3"]));
  });
});

describe("the table of headers", () => {
  const services: Readonly<Record<string, ServiceDescriptor>> = Object.fromEntries(
    Object.entries(lines).map(([version, { service }]) => [version, service]),
  );

  it("names of the extension headers", () => {
    expect(wireFor("0.3").extensionHeaders).toEqual(headers.extensions["sendTo03"]);
    expect(wireFor("0.2").extensionHeaders).toEqual(headers.extensions["sendTo03"]);
    expect(wireFor("1.0").extensionHeaders).toEqual(headers.extensions["sendTo10"]);
    expect(services["0.3"]?.headers.extensions).toBe(String(headers.extensions["0.2/0.3"]).toLowerCase());
    expect(services["1.0"]?.headers.extensions).toBe(String(headers.extensions["1.0"]).toLowerCase());
  });

  it("the version header", () => {
    expect(headers.version["1.0"]).toContain("A2A-Version: 1.0");
    expect(headers.version["0.3"]).toContain("A2A-Version: 0.3");
    for (const version of ["1.0", "0.3", "0.2"])
      expect(wireFor(version).header).toEqual({ name: "A2A-Version", value: version });
  });

  it("where the card is", () => {
    for (const [version, path] of Object.entries(headers.wellKnown))
      expect(wireFor(version).cardPath, version).toBe(path);
  });

  it("media types of HTTP+JSON", () => {
    expect(proto.far.restMediaType).toBe(headers.mediaTypes["rest0.3"]);
    expect(headers.mediaTypes["rest1.0"]).toMatch(pivot.restMediaType);
  });

  it("the headers of a call", () => {
    expect(wireFor("1.0").headers()).toEqual({ "Content-Type": "application/json", "A2A-Version": "1.0" });
    expect(wireFor("0.3").headers({ extensions: ["urn:a", "urn:b"] })).toEqual({
      "Content-Type": "application/json",
      "A2A-Version": "0.3",
      "X-A2A-Extensions": "urn:a, urn:b",
      "A2A-Extensions": "urn:a, urn:b",
    });
  });
});

describe("a version", () => {
  it("may be a release", () => {
    expect(wireFor("0.3.0")).toMatchObject({ version: "0.3", legacy: true });
    expect(wireFor("0.2.6")).toMatchObject({ version: "0.2", legacy: true });
    expect(wireFor("1.0.1")).toMatchObject({ version: "1.0", legacy: false });
  });

  it.each(["2.0", "0.1", "", "one", "toString"])("%j is not supported; what is, is listed", (version) => {
    const refused = (): unknown => wireFor(version);
    expect(refused).toThrow(A2AError);
    expect(refused).toThrow(expect.objectContaining({ reason: "CONFIG" }) as Error);
    expect(refused).toThrow(/1\.0, 0\.3, 0\.2/);
  });

  it("sends messages unless told otherwise", () => {
    expect(wireFor("1.0").methodName()).toBe("SendMessage");
    expect(wireFor("0.3").methodName()).toBe("message/send");
    expect(() => wireFor("0.3").methodName("toString" as Operation)).toThrow(/"toString" is no operation/);
  });
});

describe("parameters", () => {
  const params = {
    tenant: "acme",
    message: { messageId: "m", role: "ROLE_USER" as const, parts: [{ text: "hi" }, { data: [1] }] },
  };
  const legacy = {
    message: {
      kind: "message",
      messageId: "m",
      role: "user",
      parts: [
        { kind: "text", text: "hi" },
        { kind: "data", data: { value: [1] }, metadata: { data_part_compat: true } },
      ],
    },
  };

  it("of the newest version pass through", () => {
    expect(wireFor("1.0").encodeParams(params)).toBe(params);
    expect(wireFor("1.0").encodeParams("getTask", { id: "t" })).toEqual({ id: "t" });
  });

  it("of 0.x are converted, by default those of a message", () => {
    const losses: Loss[] = [];
    expect(wireFor("0.3").encodeParams(params, { losses })).toEqual(legacy);
    expect(losses).toEqual([{ path: "/tenant", code: "dropped" }]);
    expect(wireFor("0.2").encodeParams("sendStreamingMessage", params)).toEqual(legacy);
    expect(wireFor("0.3").encodeParams("getTaskPushNotificationConfig", { taskId: "t", id: "p" })).toEqual({
      id: "t",
      pushNotificationConfigId: "p",
    });
    expect(wireFor("0.3").encodeParams("subscribeToTask", { id: "t" })).toEqual({ id: "t" });
  });

  it("are checked, and refused where the version has no such operation", () => {
    expect(() => wireFor("0.3").encodeParams("getTask", {})).toThrow(
      expect.objectContaining({ reason: "INVALID_PARAMS" }) as Error,
    );
    expect(() => wireFor("0.3").encodeParams("listTasks", {})).toThrow(
      expect.objectContaining({ reason: "UNSUPPORTED_OPERATION" }) as Error,
    );
  });
});

describe("the endpoint of a card", () => {
  const at = (url: string, protocolVersion: string, protocolBinding = "JSONRPC") => ({
    url,
    protocolVersion,
    protocolBinding,
  });
  const both = { supportedInterfaces: [at("https://a/old", "0.3"), at("https://a/new", "1.0.1")] };

  it("is a JSON-RPC interface of the version before any other", () => {
    expect(wireFor("1.0").endpointFrom(both)).toBe("https://a/new");
    expect(wireFor("0.3").endpointFrom(both)).toBe("https://a/old");
    expect(wireFor("0.2").endpointFrom(both)).toBe("https://a/old");
    const rest = at("https://a/rest", "1.0", "HTTP+JSON");
    expect(wireFor("1.0").endpointFrom({ supportedInterfaces: [rest, at("https://a/rpc", "0.3")] })).toBe(
      "https://a/rpc",
    );
  });

  it("is the JSON-RPC endpoint of a 0.x card otherwise", () => {
    const endpoint = wireFor("0.3").endpointFrom;
    expect(endpoint({ url: "https://a" })).toBe("https://a");
    expect(endpoint({ url: "https://a", preferredTransport: "JSONRPC", supportedInterfaces: [] })).toBe(
      "https://a",
    );
    const other = { url: "https://a/rest", preferredTransport: "HTTP+JSON" };
    expect(endpoint(other)).toBeUndefined();
    expect(
      endpoint({ ...other, additionalInterfaces: [{ transport: "JSONRPC", url: "https://a/rpc" }] }),
    ).toBe("https://a/rpc");
  });

  it.each([null, "x", [], {}, { url: "" }, { url: 1 }, { supportedInterfaces: [null, {}] }])(
    "%j has none",
    (card) => {
      expect(wireFor("1.0").endpointFrom(card)).toBeUndefined();
    },
  );
});
