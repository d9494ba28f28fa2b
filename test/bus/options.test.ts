import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Redis } from "ioredis";
import pg from "pg";
import { describe, expect, test, vi } from "vitest";
import { memoryBus } from "../../src/bus/memory-bus.js";
import { openBus } from "../../src/bus/open-bus.js";
import { postgresBus } from "../../src/bus/postgres-bus.js";
import { redisBus } from "../../src/bus/redis-bus.js";
import { scrubber } from "../../src/bus/scrubber.js";
import type { EventBus } from "../../src/bus/types.js";
import { isA2AError } from "../../src/errors.js";
import { postgresBin, startPostgres } from "../services/postgres.js";
import { redisBin, startRedis } from "../services/redis.js";
import { hear } from "./hear.js";

// Tests start servers of their own, which takes a while on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const SECRET = "pa$$-w0rd";

/** All that an error says to whoever looks into it. */
const depths = (error: unknown): string =>
  error instanceof Error
    ? `${error.message} ${error.stack ?? ""} ${JSON.stringify(error)} ${JSON.stringify(Object.getOwnPropertyDescriptors(error))} ${depths(error.cause)}`
    : JSON.stringify(error);

/** Why a bus cannot be used, of `ready` and of `trouble`; neither holds the password. */
async function refusal(bus: EventBus): Promise<string> {
  const heard = hear(bus);
  const error: unknown = await Promise.resolve(bus.ready?.()).then(
    () => undefined,
    (error: unknown) => error,
  );
  await heard.until(() => heard.troubles.length > 0);
  await bus.close();
  if (!isA2AError(error, "CONFIG")) throw new Error("not refused");
  expect(depths(error) + heard.troubles.join()).not.toContain(SECRET);
  return error.message;
}

describe("openBus", () => {
  test("takes objects, and names only the scheme of what it does not know", () => {
    const bus = memoryBus();
    expect(openBus(bus)).toBe(bus);
    expect(openBus("memory").connected).toBe(true);
    const wrong = `amqp://user:${SECRET}@127.0.0.1`;
    expect(() => openBus(wrong)).toThrow('there is no "amqp" bus');
    expect(() => openBus(wrong)).not.toThrow(SECRET);
  });

  test.each([
    ["a URL that is none", () => redisBus({ url: `redis://:${SECRET}@[` }), "url must be redis://"],
    ["another scheme", () => redisBus({ url: `http://:${SECRET}@127.0.0.1` }), "url must be redis://"],
    ["an empty prefix", () => redisBus({ url: "redis://127.0.0.1", prefix: "" }), "prefix"],
    ["no length", () => redisBus({ url: "redis://127.0.0.1", maxLength: 0 }), "maxLength"],
    ["a small message", () => redisBus({ url: "redis://127.0.0.1", maxPayload: 100 }), "maxPayload"],
    ["another scheme", () => postgresBus({ url: `mysql://:${SECRET}@127.0.0.1` }), "url must be postgres://"],
    [
      "a long channel",
      () => postgresBus({ url: "postgres://127.0.0.1", channel: "ü".repeat(32) }),
      "channel",
    ],
  ])("refuses %s", (_, open, message) => {
    expect(open).toThrow(message);
    expect(open).not.toThrow(SECRET);
  });

  test("refuses a URL that the driver does not understand", async () => {
    expect(await refusal(postgresBus({ url: `postgres://a2a:${SECRET}@127.0.0.1:port/db` }))).toContain(
      "url is none",
    );
  });

  test.skipIf(redisBin() === undefined)("a wrong password of Redis is told without it", async () => {
    await using service = await startRedis();
    const admin = new Redis(service.url);
    await admin.config("SET", "requirepass", "right");
    const url = `redis://:${SECRET}@127.0.0.1:${String(service.port)}`;
    expect(await refusal(openBus(url))).toContain("WRONGPASS");
    expect(await refusal(openBus(service.url))).toContain("NOAUTH");
    const right = openBus(`redis://:right@127.0.0.1:${String(service.port)}`);
    await right.ready?.();
    await right.close();
    await admin.set("b:news", "a text");
    expect(await refusal(redisBus({ url: url.replace(SECRET, "right"), prefix: "b" }))).toContain(
      "WRONGTYPE",
    );
    admin.disconnect();
  });

  test.skipIf(postgresBin() === undefined)("a wrong password of PostgreSQL is told without it", async () => {
    await using service = await startPostgres();
    const admin = new pg.Client(service.url);
    await admin.connect();
    const { rows } = await admin.query<{ hba_file: string }>("show hba_file");
    await admin.query("alter user a2a password 'right'");
    writeFileSync(rows[0]?.hba_file ?? "", "host all all 127.0.0.1/32 scram-sha-256\n");
    await admin.query("select pg_reload_conf()");
    await admin.end();
    const url = (password: string, db: string): string =>
      `postgres://a2a:${password}@127.0.0.1:${String(service.port)}/${db}`;
    expect(await refusal(openBus(url(SECRET, "postgres")))).toContain("password authentication failed");
    expect(await refusal(openBus(url("right", "nowhere")))).toContain("does not exist");
    const right = openBus(url("right", "postgres"));
    await right.ready?.();
    await right.close();
  });
});

test("passwords are taken out of texts", () => {
  for (const [url, text] of [
    ["redis://:s3cret@h", "at s3cret"],
    ["redis://u:s3%2Fcret@h/0", "at s3/cret and s3%2Fcret"],
    ["postgres://u@h/db?password=s3cret&x=1", "at s3cret"],
    ["postgres://u:s3cr@et@h/db", "at postgres://u:s3cr@et@h/db and s3cr@et"],
  ] as const)
    expect(scrubber(url)(text)).toMatch(/^at …( and …)?$/);
  expect(scrubber("redis://127.0.0.1:6379")("at 127.0.0.1:6379")).toBe("at 127.0.0.1:6379");
});

describe("a process with a bus", () => {
  const run = async (args: readonly string[]): Promise<{ code: unknown; said: string }> => {
    const script = fileURLToPath(new URL("process.ts", import.meta.url));
    const child = spawn(process.execPath, ["--import", "tsx", script, ...args], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
    const [code]: unknown[] = await once(child, "close");
    return { code, said };
  };

  test.skipIf(redisBin() === undefined)("over Redis ends when it is closed", async () => {
    await using service = await startRedis();
    expect(await run(["use", service.url])).toEqual({ code: 0, said: "closed\n" });
  });

  test.skipIf(postgresBin() === undefined)("over PostgreSQL ends when it is closed", async () => {
    await using service = await startPostgres();
    expect(await run(["use", service.url])).toEqual({ code: 0, said: "closed\n" });
  });

  test("without the package of its driver is told which one", async () => {
    for (const [url, name] of [
      ["redis://127.0.0.1", "ioredis"],
      ["postgres://127.0.0.1", "pg"],
    ] as const)
      expect(await run(["lack", url, name])).toEqual({
        code: 0,
        said: `CONFIG bus: the package "${name}" cannot be loaded; install it: npm install ${name}\nclosed\n`,
      });
  });
});
