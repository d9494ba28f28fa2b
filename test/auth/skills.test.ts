/** What a skill of the card needs beyond the card itself. */
import { describe, expect, it } from "vitest";
import { isA2AError } from "../../src/errors.js";
import { skill } from "../server/agents.js";
import { bindings, host, say, type BindingName } from "../rules/support.js";
import { as, tokens, whoami } from "./support.js";

const skills = [
  { ...skill, id: "read" },
  { ...skill, id: "write", securityRequirements: [{ schemes: { token: { list: ["write"] } } }] },
];
const card = { name: "Files", description: "Keeps files", skills };
/** The first word of a message names the skill. */
const skillOf = ({ parts }: { parts: readonly { text?: string }[] }) => parts[0]?.text?.split(" ")[0];
const anonymous = { ...tokens, requirements: [] };

describe.each(bindings)("over %s", (binding: BindingName) => {
  it("skillOf tells which skill is asked for: refused before anything is stored (A2A-ER-e, A2A-7.5-a)", async () => {
    let runs = 0;
    await using server = await host(
      binding,
      whoami(
        async (ctx) => {
          runs += 1;
          return ctx.inputRequired("what?");
        },
        { card },
      ),
      { auth: anonymous, skillOf: (message) => skillOf(message) },
    );
    for (const name of ["SendMessage", "SendStreamingMessage"]) {
      const nobody = await server.call(name, say("write a"));
      expect([nobody.status, nobody.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
      const bob = await server.call(name, say("write a"), as("bob"));
      expect([bob.status, bob.json.error.message]).toEqual([
        403,
        "Permission denied: this needs the scope write",
      ]);
    }
    expect(runs).toBe(0);
    expect((await server.ok("ListTasks", {}, as("bob"))).totalSize).toBe(0);
    const { task } = await server.ok("SendMessage", say("read a"), as("bob"));
    // A further message may ask for another skill.
    const more = await server.call("SendMessage", say("write a", { taskId: task.id }), as("bob"));
    expect(more.status).toBe(403);
    expect((await server.ok("GetTask", { id: task.id }, as("bob"))).history).toHaveLength(1);
    expect((await server.ok("SendMessage", say("write a"), as("alice"))).task.status.state).toBe(
      "TASK_STATE_INPUT_REQUIRED",
    );
    expect(runs).toBe(2);
  });

  it("a skill that the card does not have is a fault of the server", async () => {
    await using server = await host(binding, whoami(undefined, { card }), {
      auth: anonymous,
      skillOf: () => "delete",
    });
    const { json } = await server.call("SendMessage", say("x"), as("alice"));
    expect(json.error.message).toBe("Internal error");
  });

  it("ctx.requireSkill checks it in the handler, which may react (A2A-7.5-a)", async () => {
    const handle = whoami(
      async (ctx, message) => {
        if (message.parts[0]?.text === "strict") ctx.requireSkill("write");
        try {
          ctx.requireSkill("write");
          return "written";
        } catch (error) {
          return ctx.authRequired(isA2AError(error) ? error.message : "");
        }
      },
      { card },
    );
    await using server = await host(binding, handle, { auth: tokens });
    const said = async (text: string, who: string): Promise<unknown> => {
      const { task } = await server.ok("SendMessage", say(text), as(who));
      return [task.status.state, task.status.message?.parts[0].text];
    };
    expect(await said("x", "alice")).toEqual(["TASK_STATE_COMPLETED", undefined]);
    const lacking = "Permission denied: this needs the scope write";
    expect(await said("x", "bob")).toEqual(["TASK_STATE_AUTH_REQUIRED", lacking]);
    expect(await said("strict", "bob")).toEqual(["TASK_STATE_FAILED", lacking]);
  });
});
