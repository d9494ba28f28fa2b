/** Webhook registrations, the extended card, and cards that promise what the server cannot keep. */
import { describe, expect, test } from "vitest";
import { isA2AError, type A2AError } from "../../src/errors.js";
import { createServer, type AgentCardInput, type PushDelivery } from "../../src/server.js";
import { userMessage, type AgentCard } from "../../src/versions/pivot.js";
import { agentOf, quiet, start, type TestClient } from "./agents.js";

const push: PushDelivery = { start: () => ({ [Symbol.asyncDispose]: () => Promise.resolve() }) };
const card: AgentCardInput = {
  name: "T",
  description: "d",
  skills: [],
  capabilities: { streaming: true, pushNotifications: true },
};
const pushing = (): TestClient =>
  start(
    agentOf(async () => "x", { card }),
    { push },
  ).client;
const url = "https://example.com/hook";

const reasonOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "answered",
    (error: unknown) => (isA2AError(error) ? error.reason : String(error)),
  );
const finished = async (client: TestClient): Promise<string> =>
  (await client.sendMessage({ message: userMessage("x") })).task?.id ?? "";

describe("registrations", () => {
  test("are kept with an id of the client's or the server's, on finished tasks too (A2A-3.1.7-b, Q29)", async () => {
    const client = pushing();
    const taskId = await finished(client);
    const named = await client.createTaskPushNotificationConfig({ taskId, id: "mine", url, token: "t" });
    expect(named).toEqual({ taskId, id: "mine", url, token: "t" });
    const minted = await client.createTaskPushNotificationConfig({ taskId, url });
    expect(minted.id).toBeTruthy();
    expect(await client.getTaskPushNotificationConfig({ taskId, id: "mine" })).toEqual(named);
    expect(await client.listTaskPushNotificationConfigs({ taskId })).toEqual({ configs: [named, minted] });
    const replaced = await client.createTaskPushNotificationConfig({ taskId, id: "mine", url: `${url}2` });
    expect(await client.listTaskPushNotificationConfigs({ taskId })).toEqual({ configs: [replaced, minted] });
  });

  test("are deleted for good, as often as one likes (A2A-3.1.10)", async () => {
    const client = pushing();
    const taskId = await finished(client);
    await client.createTaskPushNotificationConfig({ taskId, id: "a", url });
    for (let i = 0; i < 2; i += 1) {
      expect(await client.deleteTaskPushNotificationConfig({ taskId, id: "a" })).toEqual({});
    }
    expect(await reasonOf(client.getTaskPushNotificationConfig({ taskId, id: "a" }))).toBe("TASK_NOT_FOUND");
    expect(await client.listTaskPushNotificationConfigs({ taskId })).toEqual({ configs: [] });
  });

  test("are paged", async () => {
    const client = pushing();
    const taskId = await finished(client);
    for (const id of ["a", "b", "c"]) await client.createTaskPushNotificationConfig({ taskId, id, url });
    const first = await client.listTaskPushNotificationConfigs({ taskId, pageSize: 2 });
    expect(first.configs?.map(({ id }) => id)).toEqual(["a", "b"]);
    const { nextPageToken: pageToken = "" } = first;
    const second = await client.listTaskPushNotificationConfigs({ taskId, pageSize: 2, pageToken });
    expect(second.configs?.map(({ id }) => id)).toEqual(["c"]);
    expect(second.nextPageToken ?? "").toBe("");
    expect(await reasonOf(client.listTaskPushNotificationConfigs({ taskId, pageToken: "x" }))).toBe(
      "INVALID_PARAMS",
    );
  });

  test("come with a message, bound to its task (A2A-3.2.2-g)", async () => {
    const client = pushing();
    const configuration = { taskPushNotificationConfig: { id: "inline", url, taskId: "" } };
    const { task } = await client.sendMessage({ message: userMessage("x"), configuration });
    const taskId = task?.id ?? "";
    expect(await client.listTaskPushNotificationConfigs({ taskId })).toEqual({
      configs: [{ id: "inline", url, taskId }],
    });
  });

  test("need a URL and a task that the caller may see", async () => {
    const client = pushing();
    const taskId = await finished(client);
    for (const bad of ["ftp://example.com", "/hook", "javascript:alert(1)"]) {
      expect(await reasonOf(client.createTaskPushNotificationConfig({ taskId, url: bad }))).toBe(
        "INVALID_PARAMS",
      );
    }
    const unknown = { taskId: "nope" };
    expect(await reasonOf(client.createTaskPushNotificationConfig({ ...unknown, url }))).toBe(
      "TASK_NOT_FOUND",
    );
    expect(await reasonOf(client.listTaskPushNotificationConfigs(unknown))).toBe("TASK_NOT_FOUND");
    expect(await reasonOf(client.deleteTaskPushNotificationConfig({ ...unknown, id: "a" }))).toBe(
      "TASK_NOT_FOUND",
    );
    expect(await reasonOf(client.getTaskPushNotificationConfig({ ...unknown, id: "a" }))).toBe(
      "TASK_NOT_FOUND",
    );
  });

  test("without the capability all four are refused (A2A-3.3.4-b)", async () => {
    const { client } = start(agentOf(async () => "x"));
    const taskId = await finished(client);
    for (const call of [
      client.createTaskPushNotificationConfig({ taskId, url }),
      client.getTaskPushNotificationConfig({ taskId, id: "a" }),
      client.listTaskPushNotificationConfigs({ taskId }),
      client.deleteTaskPushNotificationConfig({ taskId, id: "a" }),
    ]) {
      expect(await reasonOf(call)).toBe("PUSH_NOTIFICATION_NOT_SUPPORTED");
    }
  });
});

describe("cards", () => {
  const secured = { ...card, securitySchemes: { b: { httpAuthSecurityScheme: { scheme: "bearer" } } } };
  const extended: AgentCard = {
    ...createServer(agentOf(async () => "x")).card,
    name: "Extended",
    supportedInterfaces: [],
  };
  const problem = (make: () => unknown): string => {
    try {
      make();
    } catch (error) {
      if (isA2AError(error, "CONFIG")) return error.message;
      throw error;
    }
    return "none";
  };

  test("defaults are filled in; both bindings at one URL (A2A-4.4.1), for the newest version of each generation", () => {
    const url = "https://agents.example.com/echo";
    const server = createServer(
      agentOf(async () => "x"),
      { url, logger: quiet },
    );
    expect(server.card).toMatchObject({
      version: "1.0.0",
      defaultInputModes: ["text/plain"],
      defaultOutputModes: ["text/plain"],
      capabilities: { streaming: true },
      supportedInterfaces: [
        { url, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
        { url, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
        { url, protocolBinding: "JSONRPC", protocolVersion: "0.3" },
        { url, protocolBinding: "HTTP+JSON", protocolVersion: "0.3" },
      ],
    });
  });

  test("a capability without means does not start", () => {
    expect(problem(() => createServer(agentOf(async () => "x", { card })))).toContain("pushNotifications");
    expect(
      problem(() =>
        createServer(
          agentOf(async () => "x"),
          { extendedCard: extended },
        ),
      ),
    ).toContain("securitySchemes");
  });

  test("the extended card: given, computed, missing, not offered (A2A-3.1.11, A2A-3.3.4-d)", async () => {
    const cardOf = (capabilities: AgentCard["capabilities"]): AgentCardInput => ({
      ...secured,
      capabilities,
    });
    const call = (capabilities: AgentCard["capabilities"], options = {}): Promise<AgentCard> =>
      start(
        agentOf(async () => "x", { card: cardOf(capabilities) }),
        options,
      ).client.getExtendedAgentCard();
    const given = await call({}, { extendedCard: extended });
    expect(given.name).toBe("Extended");
    expect(given.supportedInterfaces).toHaveLength(4);
    expect((await call({}, { extendedCard: () => ({ ...extended, name: "For you" }) })).name).toBe("For you");
    expect(await reasonOf(call({ extendedAgentCard: true }))).toBe("EXTENDED_AGENT_CARD_NOT_CONFIGURED");
    expect(await reasonOf(call({}))).toBe("UNSUPPORTED_OPERATION");
  });

  test("options that do not exist or do not work yet say so", () => {
    const agent = agentOf(async () => "x");
    const make = (options: object) => () => createServer(agent, options);
    expect(problem(make({ stroe: "memory" }))).toContain("no server option stroe");
    expect(problem(make({ store: "mysql://localhost/a2a" }))).toContain('"mysql"');
    expect(problem(make({ versions: ["0.1"] }))).toContain("0.3");
    expect(problem(make({ versions: [] }))).toContain("versions");
    expect(problem(make({ store: "memory", versions: ["1.0"], logger: quiet }))).toBe("none");
    const bad = (change: object) => () => agentOf(async () => "x", change);
    expect(problem(bad({ card: { ...card, name: "" } }))).toContain("card.name");
    expect(problem(bad({ handel: 1 }))).toContain("handel");
    const skills = [{ id: "s", name: "S", description: "d" }];
    expect(
      problem(() =>
        start(
          agentOf(async () => "x", { card: { ...card, skills } as never }),
          { push },
        ),
      ),
    ).toContain("tags");
  });

  test("the error of a refused option names no internals", () => {
    const error = ((): A2AError | undefined => {
      try {
        createServer(
          agentOf(async () => "x"),
          { store: "redis://user:secret@host" },
        );
      } catch (reason) {
        return reason as A2AError;
      }
      return undefined;
    })();
    expect(error?.message).not.toContain("secret");
  });
});
