import { describe, expect, it } from "vitest";
import { A2A as form02 } from "../../generated/v0.2/proto/service.js";
import { A2A as form03 } from "../../generated/v0.3/proto/service.js";
import type { ServiceDescriptor } from "../../src/descriptor.js";
import { inputFromBody, inputFromQuery } from "../../src/binding/rest-input.js";
import { compileRoutes } from "../../src/binding/rest-routes.js";
import { restTarget } from "../../src/binding/rest-url-client.js";

const service: ServiceDescriptor = form03;
const routes = compileRoutes(service);
const base = new URL("https://agent.example.com/a2a/");
const message = { messageId: "m1", role: "ROLE_USER", content: [{ text: "hi" }] };
const hook = "https://hook.example.com";

/** What each operation puts into the path: request line, path variables, input of the call. */
const table: readonly [methodName: string, line: string, params: object, input: Record<string, unknown>][] = [
  ["sendMessage", "POST /v1/message:send", {}, { message }],
  ["sendStreamingMessage", "POST /v1/message:stream", {}, { message }],
  ["getTask", "GET /v1/tasks/t1", { name: "tasks/t1" }, { name: "tasks/t1" }],
  ["cancelTask", "POST /v1/tasks/t1:cancel", { name: "tasks/t1" }, { name: "tasks/t1" }],
  ["resubscribeToTask", "GET /v1/tasks/t1:subscribe", { name: "tasks/t1" }, { name: "tasks/t1" }],
  [
    "setTaskPushNotificationConfig",
    "POST /v1/tasks/t1/pushNotificationConfigs",
    { parent: "tasks/t1" },
    { parent: "tasks/t1", config: { pushNotificationConfig: { url: hook } } },
  ],
  [
    "getTaskPushNotificationConfig",
    "GET /v1/tasks/t1/pushNotificationConfigs/c1",
    { name: "tasks/t1/pushNotificationConfigs/c1" },
    { name: "tasks/t1/pushNotificationConfigs/c1" },
  ],
  [
    "listTaskPushNotificationConfig",
    "GET /v1/tasks/t1/pushNotificationConfigs",
    { parent: "tasks/t1" },
    { parent: "tasks/t1" },
  ],
  [
    "deleteTaskPushNotificationConfig",
    "DELETE /v1/tasks/t1/pushNotificationConfigs/c1",
    { name: "tasks/t1/pushNotificationConfigs/c1" },
    { name: "tasks/t1/pushNotificationConfigs/c1" },
  ],
  ["getAuthenticatedExtendedCard", "GET /v1/card", {}, {}],
];

const methodOf = (name: string) => {
  const method = service.methods[name];
  if (method === undefined) throw new Error(name);
  return method;
};

describe("routes of the ProtoJSON form", () => {
  it.each(table)("%s is %s, as server and as client", (methodName, line, params, input) => {
    const [verb = "", path = ""] = line.split(" ");
    expect(routes.match(verb, path)).toMatchObject({ methodName, params });
    const method = methodOf(methodName);
    const [route] = method.rest ?? [];
    if (route === undefined) throw new Error("no route");
    expect(route.verb).toBe(verb);
    expect(restTarget(base, service, method, route, input).url.href).toBe(
      `https://agent.example.com/a2a${path}`,
    );
  });

  it("subscription is served under both verbs, and asked for with GET first", () => {
    expect(routes.match("POST", "/v1/tasks/t1:subscribe")?.methodName).toBe("resubscribeToTask");
    expect(methodOf("resubscribeToTask").rest?.map(({ verb }) => verb)).toEqual(["GET", "POST"]);
    expect(routes.verbsOf("/v1/tasks/t1:subscribe")).toEqual(["GET", "POST"]);
  });

  it("the path of the 0.3.0 proto with the slip (task/) is no route", () => {
    expect(routes.match("POST", "/v1/task/t1/pushNotificationConfigs")).toBeUndefined();
  });

  it.each([
    ["POST", "/v1/tasks/t1/pushNotifications", "setTaskPushNotificationConfig"],
    ["GET", "/v1/tasks/t1/pushNotifications", "listTaskPushNotificationConfig"],
    ["GET", "/v1/tasks/t1/pushNotifications/c1", "getTaskPushNotificationConfig"],
    ["DELETE", "/v1/tasks/t1/pushNotifications/c1", "deleteTaskPushNotificationConfig"],
  ])("0.2 also has %s %s, as 0.2.2 to 0.2.4 had", (verb, path, methodName) => {
    expect(compileRoutes(form02).match(verb, path)?.methodName).toBe(methodName);
    expect(routes.match(verb, path)).toBeUndefined();
  });

  it.each([
    ["an id with a slash, a colon and a space", "a/b:c d", "tasks/a%2Fb:c d", "/v1/tasks/a%2Fb%3Ac%20d"],
    ["an id with what stands for a slash", "a%2Fb", "tasks/a%252Fb", "/v1/tasks/a%252Fb"],
    ["an id with what stands for that", "a%252fb", "tasks/a%25252fb", "/v1/tasks/a%25252fb"],
    ["an id outside of ASCII", "ä€", "tasks/ä€", "/v1/tasks/%C3%A4%E2%82%AC"],
    ["an id that ends like another route", "x:cancel", "tasks/x:cancel", "/v1/tasks/x%3Acancel"],
  ])("%s is one segment on the wire", (_, _id, name, path) => {
    const method = methodOf("getTask");
    const [route] = method.rest ?? [];
    if (route === undefined) throw new Error("no route");
    expect(restTarget(base, service, method, route, { name }).url.pathname).toBe(`/a2a${path}`);
    expect(routes.match("GET", path)?.params).toEqual({ name });
  });

  it.each(["t1", "tasks/", "tasks/..", "tasks/a/b", "contexts/t1", "tasks/\ud800"])(
    "a resource name that is none of the route is refused: %j",
    (name) => {
      const method = methodOf("getTask");
      const [route] = method.rest ?? [];
      if (route === undefined) throw new Error("no route");
      expect(() => restTarget(base, service, method, route, { name })).toThrow(
        /name: cannot travel in a URL path of GetTask/,
      );
    },
  );

  it.each(["/v1/tasks", "/v1/tasks/", "/tasks/t1", "/v1/tasks/t1/x", "/v1/tasks/t1:unknown/x"])(
    "%s is no route",
    (path) => {
      expect(routes.match("GET", path)).toBeUndefined();
    },
  );
});

describe("a body that is one field", () => {
  const match = routes.match("POST", "/v1/tasks/t1/pushNotificationConfigs");
  if (match === undefined) throw new Error("no route");
  const config = { name: "", pushNotificationConfig: { url: hook } };

  it("is that field, with the others in the query", () => {
    expect(inputFromBody(match, config, "configId=c1&A2A-Version=0.3")).toEqual({
      parent: "tasks/t1",
      configId: "c1",
      config,
    });
    expect(inputFromBody(match, config, "config_id=c1")).toMatchObject({ configId: "c1" });
  });

  it.each([
    ["the names of the JSON", { parent: "tasks/t1", configId: "c1", config }],
    ["the names of the proto", { parent: "tasks/t1", config_id: "c1", config }],
  ])("may as well be the whole input, under %s", (_, body) => {
    expect(inputFromBody(match, body, "")).toEqual(body);
  });

  it("may not name another task than the path", () => {
    const body = { parent: "tasks/t2", config };
    expect(() => inputFromBody(match, body, "")).toThrow(/parent: path and body name different values/);
  });

  it("goes alone from the client; what is left is the query", () => {
    const method = methodOf("setTaskPushNotificationConfig");
    const [bare, whole] = method.rest ?? [];
    if (bare === undefined || whole === undefined) throw new Error("no route");
    const input = { parent: "tasks/t1", configId: "c 1", config };
    const target = restTarget(base, service, method, bare, input);
    expect(target).toMatchObject({ body: config });
    expect(target.url.search).toBe("?configId=c%201");
    expect(restTarget(base, service, method, whole, input).body).toEqual(input);
    expect(() => restTarget(base, service, method, bare, { parent: "tasks/t1" })).toThrow(
      "config: is needed for the body of CreateTaskPushNotificationConfig over HTTP+JSON",
    );
  });

  it("a query without a body has the names of both spellings", () => {
    const get = routes.match("GET", "/v1/tasks/t1");
    if (get === undefined) throw new Error("no route");
    for (const query of ["historyLength=3", "history_length=3"])
      expect(inputFromQuery(get, query)).toEqual({ name: "tasks/t1", historyLength: "3" });
  });
});
