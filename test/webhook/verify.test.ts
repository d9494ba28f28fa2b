/** What a receiver takes and what it refuses. */
import { describe, expect, it } from "vitest";
import { isA2AError } from "../../src/errors.js";
import { recentKeys } from "../../src/webhook/recent-keys.js";
import { verifyNotification, webhookRegistration } from "../../src/webhook.js";
import { request, update, verdict } from "./support.js";

const token = "a secret of this task";
const REFUSED = "UNAUTHENTICATED 401";

describe("the token", () => {
  it.each(["X-A2A-Notification-Token", "A2A-Notification-Token", "x-a2a-notification-token"])(
    "is taken from %s (A2A-SA-h)",
    async (name) => {
      expect(await verdict(request(update(), { [name]: token }), { token })).toBe("ok");
      expect(await verdict(request(update(), { [name]: "another" }), { token })).toBe(REFUSED);
      expect(await verdict(request(update(), { [name]: `${token} ` + "x" }), { token })).toBe(REFUSED);
    },
  );

  it("is demanded; several may be good, and a function may know them (A2A-4.3.3-g)", async () => {
    const sent = () => request(update(), { "x-a2a-notification-token": "new" });
    expect(await verdict(request(update()), { token })).toBe(REFUSED);
    expect(await verdict(sent(), { token: ["old", "new"] })).toBe("ok");
    expect(await verdict(sent(), { token: ["old"] })).toBe(REFUSED);
    expect(await verdict(sent(), { token: [] })).toBe(REFUSED);
    expect(await verdict(sent(), { token: async (given) => given === "new" })).toBe("ok");
    expect(await verdict(sent(), { token: () => false })).toBe(REFUSED);
  });
});

describe("authentication", () => {
  const bearer = { scheme: "Bearer", credentials: "c" };

  it("is what was registered, the scheme in any case (A2A-4.3.2-a, A2A-13.2c-a, A2A-SA-h)", async () => {
    for (const good of ["Bearer c", "bearer c", "BEARER  c"]) {
      expect(await verdict(request(update(), { authorization: good }), { authentication: bearer })).toBe(
        "ok",
      );
    }
    for (const bad of ["Bearer C", "Bearer", "Basic c", "c", "Bearer c2", ""]) {
      expect(await verdict(request(update(), { authorization: bad }), { authentication: bearer })).toBe(
        REFUSED,
      );
    }
    expect(await verdict(request(update()), { authentication: bearer })).toBe(REFUSED);
    const basic = { scheme: "basic", credentials: "eA==" };
    expect(await verdict(request(update(), { authorization: "Basic eA==" }), { authentication: basic })).toBe(
      "ok",
    );
  });

  it("a refusal names the scheme, and no secret", async () => {
    const authentication = { scheme: "Basic", credentials: "s3cret" };
    const error = await verifyNotification(request(update()), { authentication }).catch(
      (thrown: unknown) => thrown,
    );
    expect(isA2AError(error, "UNAUTHENTICATED") && error.headers).toEqual({ "WWW-Authenticate": "Basic" });
    expect(String(error)).not.toContain("s3cret");
  });

  it("headers are looked at before the body is read", async () => {
    const incoming = request(update());
    expect(await verdict(incoming, { token })).toBe(REFUSED);
    expect(incoming.bodyUsed).toBe(false);
  });
});

describe("options", () => {
  it("by which anybody would pass are refused", async () => {
    for (const options of [
      {},
      { token: "" },
      { token: ["good", ""] },
      { authentication: { scheme: "Bearer" } },
      { authentication: { scheme: "Bearer", credentials: "" } },
      { jwks: { keys: [] } },
      { allowUnauthenticated: false },
    ]) {
      expect(await verdict(request(update()), options)).toBe("CONFIG undefined");
    }
    expect(await verdict(request(update()), { allowUnauthenticated: true })).toBe("ok");
  });
});

describe("the event", () => {
  const open = { allowUnauthenticated: true };

  it("of 1.0 is a StreamResponse of any kind", async () => {
    const task = { id: "t1", contextId: "c1", status: { state: "TASK_STATE_COMPLETED" } };
    const artifactUpdate = {
      taskId: "t1",
      contextId: "c1",
      artifact: { artifactId: "a", parts: [{ text: "x" }] },
    };
    for (const event of [update(), { task }, { artifactUpdate }]) {
      expect(await verifyNotification(request(event), open)).toMatchObject({
        event,
        taskId: "t1",
        version: "1.0",
      });
    }
  });

  it("of 0.x is the bare task, in the shape of 1.0", async () => {
    const old = {
      kind: "task",
      id: "t1",
      contextId: "c1",
      status: { state: "input-required" },
      artifacts: [{ artifactId: "a", parts: [{ kind: "text", text: "x" }] }],
    };
    const task = {
      id: "t1",
      contextId: "c1",
      status: { state: "TASK_STATE_INPUT_REQUIRED" },
      artifacts: [{ artifactId: "a", parts: [{ text: "x" }] }],
    };
    for (const [named, version] of [
      ["0.3", "0.3"],
      ["0.2", "0.2"],
      ["", "0.3"],
      ["0.3.0", "0.3"],
    ] as const) {
      const read = await verifyNotification(request(old, { "a2a-version": named }), open);
      expect(read).toMatchObject({ event: { task }, taskId: "t1", version });
    }
    expect(await verdict(request(old), { ...open, version: "1.0" })).toBe("INVALID_PARAMS 400");
  });

  it.each([
    ["no JSON", "{"],
    ["nothing", ""],
    ["no event", { hello: 1 }],
    ["two at once", { ...update(), task: { id: "t1", status: { state: "TASK_STATE_WORKING" } } }],
    ["of no task", { message: { messageId: "m", role: "ROLE_AGENT", parts: [{ text: "x" }] } }],
    ["a list", []],
  ])("is refused where it is %s", async (_, body) => {
    expect(await verdict(request(body), open)).toBe("INVALID_PARAMS 400");
  });

  it("must be of a task that is waited for (A2A-4.3.3-f, A2A-13.2c-b)", async () => {
    const taskIds = async (id: string) => id === "t1";
    expect(await verdict(request(update()), { ...open, taskIds })).toBe("ok");
    expect(await verdict(request(update("t2")), { ...open, taskIds })).toBe("PERMISSION_DENIED 403");
  });

  it("has a limit, whatever the headers say", async () => {
    const long = JSON.stringify(update());
    const limits = (maxBytes: number) => ({ ...open, maxBytes });
    expect(await verdict(request(long), limits(long.length))).toBe("ok");
    expect(await verdict(request(long), limits(long.length - 1))).toBe("PAYLOAD_TOO_LARGE 413");
    expect(await verdict({ headers: {}, body: long }, limits(long.length))).toBe("ok");
    expect(await verdict({ headers: {}, body: long }, limits(long.length - 1))).toBe("PAYLOAD_TOO_LARGE 413");
    // What says that it is too long is not read.
    const declared = request(long, { "content-length": String(long.length) });
    expect(await verdict(declared, limits(long.length - 1))).toBe("PAYLOAD_TOO_LARGE 413");
    expect(declared.bodyUsed).toBe(false);
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new Uint8Array(1_000));
      },
    });
    const init = { method: "POST", body: endless, duplex: "half" };
    expect(
      await verdict(new Request("https://receiver.example.com/", init as RequestInit), limits(5_000)),
    ).toBe("PAYLOAD_TOO_LARGE 413");
  });

  it("may come from any server: headers and body", async () => {
    const headers = { "X-A2A-Notification-Token": [token, "second"], other: undefined };
    const text = JSON.stringify(update());
    expect(await verdict({ headers, body: text }, { token })).toBe("ok");
    expect(await verdict({ headers, body: Buffer.from(text) }, { token })).toBe("ok");
    expect(
      await verdict({ headers: new Headers({ "a2a-notification-token": token }), body: text }, { token }),
    ).toBe("ok");
  });
});

describe("a repeat", () => {
  const open = { allowUnauthenticated: true };
  const keyOf = async (body: unknown, headers = {}) =>
    (await verifyNotification(request(body, headers), open)).key;

  it("is told by the name of the delivery, else by the body, but for chunks", async () => {
    expect(await keyOf(update(), { "x-a2a-notification-id": "d1" })).toBe("d1");
    expect(await keyOf(update())).toBe(await keyOf(update()));
    expect(await keyOf(update())).not.toBe(await keyOf(update("t2")));
    const chunk = (append: boolean) => ({
      artifactUpdate: {
        taskId: "t1",
        contextId: "c1",
        append,
        artifact: { artifactId: "a", parts: [{ text: "ha" }] },
      },
    });
    expect(await keyOf(chunk(true))).toBeUndefined();
    expect(await keyOf(chunk(false))).toBeDefined();
  });

  it("is marked, not refused: the sender lost the answer (A2A-13.2c-c)", async () => {
    const seen = new Set<string>();
    const read = () => verifyNotification(request(update()), { ...open, seen });
    const first = await read();
    expect(first.duplicate).toBe(false);
    seen.add(first.key ?? "");
    expect((await read()).duplicate).toBe(true);
  });
});

describe("what was processed", () => {
  it("is remembered up to a number, the newest of it", () => {
    const keys = recentKeys(2);
    for (const key of ["a", "b"]) keys.add(key);
    expect(["a", "b"].map((key) => keys.has(key))).toEqual([true, true]);
    keys.add("c");
    expect(["a", "b", "c"].map((key) => keys.has(key))).toEqual([false, true, true]);
  });
});

describe("a registration", () => {
  it("has a token of its own, and https (A2A-13.2c-e, A2A-13.2c-g, A2A-13.2c-j)", () => {
    const url = "https://receiver.example.com/hook";
    const one = webhookRegistration(url, { id: "x" });
    expect(one).toEqual({ url, id: "x", token: expect.stringMatching(/^[\w-]{43}$/) });
    expect(webhookRegistration(url).token).not.toBe(one.token);
    for (const bad of ["http://receiver.example.com/", "ftp://receiver.example.com/", "hook"]) {
      expect(() => webhookRegistration(bad)).toThrow("https");
    }
    expect(webhookRegistration("http://127.0.0.1/", { allowHttp: true }).url).toBe("http://127.0.0.1/");
    expect(() => webhookRegistration("ftp://127.0.0.1/", { allowHttp: true })).toThrow("https");
  });
});
