/** Service parameters: the version of a request and its extensions, however they are written. */
import { describe, expect, it } from "vitest";
import { connect } from "../../src/client.js";
import { createClient, httpJson, jsonRpc } from "../../src/index.js";
import type { ServeOptions } from "../../src/server.js";
import { pivot, userMessage } from "../../src/versions/pivot.js";
import { agentOf, skill } from "../server/agents.js";
import { bindings, errorOf, host, reasonOf, say, type BindingName, type Json } from "./support.js";

const EXTENSION = "https://Example.com/Ext/V1";
const card = {
  name: "T",
  description: "d",
  skills: [skill],
  capabilities: { extensions: [{ uri: EXTENSION }] },
};
const echo = agentOf(async (ctx) => ctx.extensions.join() || "none", { card });
const textOf = (task: Json): string => task.artifacts[0].parts[0].text;

/** The same message in 0.3, over either binding. */
async function sendOld(url: string, binding: BindingName, headers: Record<string, string>): Promise<Json> {
  const json = { "content-type": "application/json", ...headers };
  const rpc = {
    jsonrpc: "2.0",
    id: 1,
    method: "message/send",
    params: {
      message: { kind: "message", messageId: "m", role: "user", parts: [{ kind: "text", text: "x" }] },
    },
  };
  const rest = { message: { messageId: "m", role: "ROLE_USER", content: [{ text: "x" }] } };
  const response =
    binding === "JSONRPC"
      ? await fetch(url, { method: "POST", headers: json, body: JSON.stringify(rpc) })
      : await fetch(`${url}/v1/message:send`, { method: "POST", headers: json, body: JSON.stringify(rest) });
  return response.json();
}

describe.each(bindings)("over %s", (binding) => {
  const only10: Partial<ServeOptions> = { versions: ["1.0"] };

  it("a version is Major.Minor; patches count for nothing, names of headers have any case (A2A-3.6-a, A2A-3.6-b, A2A-3.6-c, A2A-3.2.6-a)", async () => {
    await using on = await host(binding, echo);
    const { id } = await on.send("x");
    for (const version of ["1.0", "1.0.0", "1.0.1", "1.0.7", " 1.0 "])
      expect((await on.ok("GetTask", { id }, { "a2a-version": version })).id).toBe(id);
    const plain = { method: "GET", headers: { "A2A-VERSION": "1.0" } };
    const found: Json = await (await fetch(`${on.url}/.well-known/agent-card.json`, plain)).json();
    for (const { protocolVersion } of found.supportedInterfaces)
      expect(protocolVersion).toMatch(/^\d+\.\d+$/);
    const refused = await on.call("GetTask", { id }, { "a2a-version": "99.0" });
    expect(JSON.stringify(errorOf(refused).details)).not.toMatch(/1\.0\.\d/);
  });

  it("a version that is not served is refused with those that are (A2A-3.6.2-b)", async () => {
    await using on = await host(binding, echo);
    for (const version of ["99.0", "2.0", "1.1", "0.1", "one"]) {
      const refused = await on.call("ListTasks", {}, { "a2a-version": version });
      expect([version, reasonOf(refused)]).toEqual([version, "VERSION_NOT_SUPPORTED"]);
      const [info] = errorOf(refused).details;
      expect(info.metadata.supportedVersions).toMatch(/1\.0/);
    }
  });

  it("no version, or an empty one, is 0.3: served where 0.3 is, else refused (A2A-3.6.2-a, A2A-3.6.2-c, A2A-3.6.2-d)", async () => {
    await using dual = await host(binding, echo);
    await using newest = await host(binding, echo, only10);
    for (const headers of [{}, { "a2a-version": "" }, { "a2a-version": "0.3" }, { "a2a-version": "0.3.0" }]) {
      const sent = headers as Record<string, string>;
      const old = await sendOld(dual.url, binding, sent);
      if (binding === "JSONRPC")
        expect(old.result).toMatchObject({ kind: "task", status: { state: "completed" } });
      else
        expect(old.task).toMatchObject({
          status: { state: "TASK_STATE_COMPLETED" },
          artifacts: [{ parts: [{ text: "none" }] }],
        });
    }
    // The same URL, told apart by the header alone.
    expect(await dual.send("x")).toMatchObject({ status: { state: "TASK_STATE_COMPLETED" } });
    const refused = await newest.call("ListTasks", {}, { "a2a-version": "" });
    expect(reasonOf(refused)).toBe("VERSION_NOT_SUPPORTED");
    expect(errorOf(refused).message).toContain("A2A-Version: 1.0");
    const old = await sendOld(newest.url, binding, {});
    expect(JSON.stringify(old.error)).toContain("VERSION_NOT_SUPPORTED");
  });

  it("the version may stand in the query; a header wins (A2A-3.6.1-b)", async () => {
    await using on = await host(binding, echo, only10);
    const { id } = await on.send("x");
    const get = async (query: string, headers: Record<string, string> = {}): Promise<number> => {
      const rpc = { jsonrpc: "2.0", id: 1, method: "GetTask", params: { id } };
      const response =
        binding === "JSONRPC"
          ? await fetch(`${on.url}/?${query}`, {
              method: "POST",
              headers: { "content-type": "application/json", ...headers },
              body: JSON.stringify(rpc),
            })
          : await fetch(`${on.url}/tasks/${id as string}?${query}`, { headers });
      const json: Json = await response.json();
      return (json.result ?? json).id === id ? 200 : 400;
    };
    expect(await get("A2A-Version=1.0")).toBe(200);
    expect(await get("a2a-version=1.0.1")).toBe(200);
    expect(await get("A2A-Version=99.0")).toBe(400);
    expect(await get("A2A-Version=99.0", { "a2a-version": "1.0" })).toBe(200);
  });

  it("extensions are read from a header of any case, their URIs as they are written, and answered (A2A-3.2.6-a, A2A-3.2.6-b, A2A-3.2.6-d)", async () => {
    await using on = await host(binding, echo);
    for (const [value, active] of [
      [EXTENSION, EXTENSION],
      [`https://e/unknown ,${EXTENSION} , ${EXTENSION}`, EXTENSION],
      [EXTENSION.toLowerCase(), "none"],
      ["", "none"],
    ] as const) {
      const answer = await on.call("SendMessage", say("x"), { "A2A-EXTENSIONS": value });
      expect(textOf(answer.result.task)).toBe(active);
      expect(answer.headers.get("a2a-extensions")).toBe(active === "none" ? null : active);
    }
  });

  it("our client sends both as headers with every call (A2A-3.2.6-b, A2A-3.2.6-d, A2A-3.2.6-e, A2A-3.2.6-f, A2A-3.6.1-a)", async () => {
    const seen: Record<string, string>[] = [];
    await using on = await host(binding, echo, {
      middleware: [
        (next) => (call) => {
          seen.push({ ...call.headers });
          return next(call);
        },
      ],
    });
    const transport = binding === "JSONRPC" ? jsonRpc({ url: on.url }) : httpJson({ url: on.url });
    await using client = createClient(pivot, transport, { extensions: [EXTENSION, "https://e/two"] });
    const { task } = await client.sendMessage({ message: userMessage("x") });
    await client.getTask({ id: task?.id ?? "" });
    for await (const _event of client.sendStreamingMessage({ message: userMessage("x") })) continue;
    expect(seen).toHaveLength(3);
    for (const headers of seen) {
      expect(headers["a2a-version"]).toBe("1.0");
      expect(headers["a2a-extensions"]?.split(/, */)).toEqual([EXTENSION, "https://e/two"]);
    }
    for (const name of Object.values(pivot.headers)) expect(name).toMatch(/^a2a-/);
  });

  it("the card names versions and bindings, and a client picks by both (A2A-3.6.3-a, A2A-3.5.1-b)", async () => {
    await using on = await host(binding, echo);
    const newest = await connect(on.url, { bindings: [binding] });
    expect(newest.interface).toMatchObject({ protocolVersion: "1.0", protocolBinding: binding });
    const older = await connect(on.url, { bindings: [binding], versions: ["0.3"] });
    expect(older.interface).toMatchObject({ protocolVersion: "0.3", protocolBinding: binding });
    for (const agent of [newest, older]) {
      expect((await agent.send("x")).text()).toBe("none");
      await agent.close();
    }
  });
});
