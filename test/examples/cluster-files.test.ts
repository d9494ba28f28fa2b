/** What examples/cluster runs with: the files that say the same thing twice say the same. */
import { existsSync, readFileSync } from "node:fs";
import { CORE_SCHEMA, load, mergeTag } from "js-yaml";
import { describe, expect, it } from "vitest";

const root = new URL("../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");

interface Service {
  readonly image: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly volumes?: readonly string[];
}
const { services, volumes } = load(read("examples/cluster/compose.yaml"), {
  schema: CORE_SCHEMA.withTags(mergeTag),
}) as { readonly services: Readonly<Record<string, Service>>; readonly volumes: object };
const agents = Object.keys(services).filter((name) => name.startsWith("agent-"));

describe("compose.yaml", () => {
  it("has the servers, a migration and three instances, from official images alone", () => {
    expect(Object.keys(services)).toEqual(["postgres", "redis", "migrate", ...agents, "nginx"]);
    expect(agents).toHaveLength(3);
    const images = Object.values(services).filter(({ build }) => build === undefined);
    expect(images.map(({ image }) => image)).toEqual(["postgres:15", "redis:7", "nginx:1"]);
    expect(/^FROM (.*)$/m.exec(read("examples/cluster/Dockerfile"))?.[1]).toBe("node:20");
  });

  it("names services, conditions and volumes that exist", () => {
    for (const [name, { depends_on: needs = {}, volumes: used = [] }] of Object.entries(services)) {
      for (const [other, { condition }] of Object.entries(needs)) {
        const { healthcheck } = services[other] ?? {};
        const possible =
          condition === "service_healthy" ? healthcheck?.test !== undefined : healthcheck?.disable;
        expect(possible, `${name} waits for ${other}`).toBe(true);
      }
      for (const volume of used) {
        const [source = ""] = volume.split(":");
        const there = source.startsWith("./")
          ? existsSync(new URL(`examples/cluster/${source}`, root))
          : Object.hasOwn(volumes, source);
        expect(there, `${name}: ${volume}`).toBe(true);
      }
    }
  });

  it("gives every instance the settings that agent.ts reads, and a name of its own", () => {
    const known = [...read("examples/cluster/agent.ts").matchAll(/env\["(\w+)"\]/g)].map(([, name]) => name);
    for (const name of agents) {
      const { environment = {}, build } = services[name] ?? {};
      expect(Object.keys(environment).filter((one) => !known.includes(one))).toEqual([]);
      expect(environment).toMatchObject({
        STORE: "postgres://a2a:a2a@postgres:5432/a2a",
        BUS: "redis://redis:6379",
        INSTANCE: name.slice("agent-".length),
      });
      expect(build).toEqual({ context: "../..", dockerfile: "examples/cluster/Dockerfile" });
    }
    expect(services["migrate"]?.command?.at(-1)).toBe("postgres://a2a:a2a@postgres:5432/a2a");
  });

  it("copies and runs files that exist", () => {
    const docker = read("examples/cluster/Dockerfile");
    const copied = [...docker.matchAll(/^COPY (.*) \S+$/gm)].flatMap(([, files = ""]) => files.split(" "));
    const run = [/"(examples\S*\.ts)"/.exec(docker)?.[1], services["migrate"]?.command?.[3]];
    for (const path of [...copied, ...run]) expect(existsSync(new URL(path ?? "-", root)), path).toBe(true);
  });

  it("fills in what nginx.conf leaves open, and no variable of nginx", () => {
    const { environment = {} } = services["nginx"] ?? {};
    const { NGINX_ENVSUBST_FILTER: filter = "", ...values } = environment;
    const open = [...read("examples/cluster/nginx.conf").matchAll(/\$\{?(\w+)/g)].map(
      ([, name = ""]) => name,
    );
    // A dollar is written twice in this file.
    const chosen = new RegExp(filter.replaceAll("$$", "$"));
    expect([...new Set(open.filter((name) => chosen.test(name)))].sort()).toEqual(Object.keys(values).sort());
    for (const name of agents) expect(values["SERVERS"]).toContain(`server ${name}:8080 `);
  });
});
