import { beforeAll, describe, expect, it } from "vitest";
import { buildModel } from "../../codegen/ir/build.js";
import type { Decl, Model, Type } from "../../codegen/ir/types.js";
import { loadLine } from "../../codegen/load/load-line.js";
import { loadOfficial } from "../../codegen/load/load-official.js";
import type { Overlay } from "../../codegen/load/overlay.js";
import { haveOfficial, officialText } from "./official-files.js";

/** What regular expressions find in the proto file: a second reading that shares no code with the parser. */
function blocks(text: string, keyword: string): Map<string, string> {
  const bare = text.replace(/^\s*\/\/.*$/gm, "");
  const found = bare.matchAll(new RegExp(`^${keyword} (\\w+) \\{([\\s\\S]*?)^\\}`, "gm"));
  return new Map([...found].map((match) => [match[1] ?? "", match[2] ?? ""]));
}

interface Line {
  readonly label: string;
  readonly type: string;
  readonly json: string;
  readonly number: number;
  readonly required: boolean;
  readonly oneof: string | undefined;
}

function lines(body: string): Line[] {
  const groups = [...body.matchAll(/oneof (\w+) \{([^}]*)\}/g)];
  return [...body.matchAll(/^\s+(optional |repeated )?(map<[^>]+>|[\w.]+) (\w+) = (\d+)([^;]*);/gm)].map(
    (match) => {
      const [, label = "", type = "", name = "", number = "", options = ""] = match;
      const at = match.index;
      const group = groups.find(
        (candidate) => at > candidate.index && at < candidate.index + candidate[0].length,
      );
      return {
        label: label.trim(),
        type,
        json: name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
        number: Number(number),
        required: options.includes("REQUIRED"),
        oneof: group?.[1],
      };
    },
  );
}

const scalars: Record<string, string> = {
  string: "string",
  bool: "boolean",
  int32: "int32",
  bytes: "bytes",
  "google.protobuf.Struct": "struct",
  "google.protobuf.Value": "json",
  "google.protobuf.Timestamp": "timestamp",
};

/** The type of a field as the IR should have it, in words. */
function expectedType({ label, type }: Line): string {
  const map = /^map<string, (\w+)>$/.exec(type)?.[1];
  if (map !== undefined) return `map of ${scalars[map] ?? map}`;
  return (label === "repeated" ? "list of " : "") + (scalars[type] ?? type);
}

function words(type: Type): string {
  if (type.kind === "scalar" || type.kind === "ref") return type.name;
  if (type.kind === "array") return `list of ${words(type.of)}`;
  return type.kind === "map" ? `map of ${words(type.of)}` : type.kind;
}

/** Definitions of the raw bundle by name without blanks. */
function bundle(release: string): Map<string, { properties?: object; patternProperties?: object }> {
  const file = JSON.parse(officialText(release, "a2a.json")) as { definitions: Record<string, object> };
  return new Map(Object.entries(file.definitions).map(([title, node]) => [title.replace(/ /g, ""), node]));
}

describe.runIf(haveOfficial("oracle of 1.0")).each(["1.0.0", "1.0.1"])("A2A %s", (release) => {
  let model!: Model;
  let overlay!: Overlay;
  let proto = "";
  let decls = new Map<string, Decl>();
  beforeAll(async () => {
    const line = await loadLine("v1.0");
    if (line.overlay === undefined) throw new Error("v1.0 has an overlay");
    overlay = line.overlay;
    proto = officialText(release, "a2a.proto");
    model = buildModel(loadOfficial({ release, json: officialText(release, "a2a.json"), proto, overlay }));
    decls = new Map(model.decls.map((decl) => [decl.name, decl]));
  });

  const object = (name: string): Extract<Decl, { kind: "object" }> => {
    const decl = decls.get(name);
    if (decl?.kind !== "object") throw new Error(`${name} is not an object`);
    return decl;
  };

  it("has the 44 messages of the proto, and Empty", () => {
    const messages = blocks(proto, "message");
    expect(messages.size).toBe(44);
    const objects = model.decls.filter((decl) => decl.kind === "object").map(({ name }) => name);
    expect(objects.sort()).toEqual([...messages.keys(), "Empty"].sort());
  });

  it("has every field with number, type, order, presence and group (A2A-1.4-a)", () => {
    for (const [name, body] of blocks(proto, "message")) {
      const expected = lines(body);
      const { fields, oneofs } = object(name);
      expect([name, fields.map((f) => [f.name, f.number, words(f.type)])]).toEqual([
        name,
        expected.map((l) => [l.json, l.number, expectedType(l)]),
      ]);
      const groups = [...new Set(expected.flatMap(({ oneof }) => oneof ?? []))];
      expect(oneofs.map((group) => [group.name, group.members])).toEqual(
        groups.map((group) => [
          group,
          expected.filter(({ oneof }) => oneof === group).map(({ json }) => json),
        ]),
      );
      for (const { json, label, oneof, type } of expected) {
        const isMessage = /^[A-Z]/.test(type) && !["TaskState", "Role"].includes(type);
        const tracked =
          label !== "repeated" &&
          !type.startsWith("map<") &&
          (label === "optional" || oneof !== undefined || isMessage || type.startsWith("google."));
        expect([name, json, fields.find((f) => f.name === json)?.presence]).toEqual([
          name,
          json,
          tracked ? "explicit" : "implicit",
        ]);
      }
    }
  });

  it("has REQUIRED where the proto says so, and where the overlay adds it", () => {
    let marked = 0;
    for (const [name, body] of blocks(proto, "message")) {
      const written = lines(body)
        .filter(({ required }) => required)
        .map(({ json }) => json);
      const added = Object.keys(overlay.required).flatMap((path) =>
        path.startsWith(`${name}.`) ? [path.slice(name.length + 1)] : [],
      );
      expect([
        name,
        object(name)
          .fields.filter((f) => f.required)
          .map((f) => f.name)
          .sort(),
      ]).toEqual([name, [...new Set([...written, ...added])].sort()]);
      marked += written.length;
    }
    expect(marked).toBe(proto.match(/field_behavior\) = REQUIRED/g)?.length);
  });

  it("has every enum value with its number", () => {
    for (const [name, body] of blocks(proto, "enum")) {
      const written = [...body.matchAll(/^\s+(\w+) = (\d+);/gm)].map((match) => [match[1], Number(match[2])]);
      const decl = decls.get(name);
      expect([
        name,
        decl?.kind === "enum" && decl.values.map(({ value, number }) => [value, number]),
      ]).toEqual([name, written]);
    }
  });

  it("has every rpc with messages, stream and routes", () => {
    const body = [...blocks(proto, "service").values()][0] ?? "";
    const rpcs = body.split(/^\s+rpc /m).slice(1);
    expect(model.methods).toHaveLength(rpcs.length);
    for (const [i, text] of rpcs.entries()) {
      const [, name, input, stream, output] =
        /^(\w+)\((\w+)\) returns \((stream )?([\w.]+)\)/.exec(text) ?? [];
      const method = model.methods[i];
      expect(method).toMatchObject({
        name,
        grpc: name,
        jsonrpc: name,
        kind: stream === undefined ? "unary" : "serverStream",
        input: { name: input },
        output: { name: output?.replace("google.protobuf.", "") },
      });
      const written = [...text.matchAll(/(get|post|delete): "([^"]+)"/g)].map(
        (match) =>
          `${(match[1] ?? "").toUpperCase()} ${(match[2] ?? "").replace(/=\*/g, "").replace("task_id", "taskId")}`,
      );
      const plain = written.filter((route) => !route.includes("{tenant}"));
      expect(
        written.filter((route) => route.includes("{tenant}")).map((route) => route.replace("/{tenant}", "")),
      ).toEqual(plain);
      const fromOverlay = (overlay.methods[name ?? ""]?.routes ?? []).map(
        (route) => `${route.verb} ${route.path}`,
      );
      expect(method?.rest.map((route) => `${route.verb} ${route.path}`).sort()).toEqual(
        [...plain, ...fromOverlay].sort(),
      );
    }
  });

  it("has the property names and snake_case aliases of the JSON bundle", () => {
    for (const [name, node] of bundle(release)) {
      if (node.properties === undefined) continue;
      const { fields } = object(name);
      expect([name, fields.map((f) => f.name).sort()]).toEqual([name, Object.keys(node.properties).sort()]);
      const patterns = Object.keys(node.patternProperties ?? {}).map((pattern) => pattern.slice(2, -2));
      expect([name, fields.flatMap((f) => f.aliases).sort()]).toEqual([name, patterns.sort()]);
    }
  });

  it("every group of the proto is decided by the overlay", () => {
    for (const decl of model.decls) {
      if (decl.kind !== "object") continue;
      for (const { name } of decl.oneofs)
        expect(Object.keys(overlay.oneofs)).toContain(`${decl.name}.${name}`);
    }
  });
});
