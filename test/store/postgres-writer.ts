import { postgresStore } from "../../src/store/postgres/postgres-store.js";

/** Appends events to task `a` of a schema, each on top of what it reads; prints how many were refused on the way. */
const [url = "", schema = "", name = "", count = "0"] = process.argv.slice(2);
const scope = { tenant: "", owner: "" };
const store = await postgresStore({ url, schema, max: 2 });
let conflicts = 0;
for (let i = 0; i < Number(count); i += 1) {
  for (;;) {
    // Its revision alone: no event is after that.
    const wanted = { after: Number.MAX_SAFE_INTEGER, bare: true };
    const task = await store.read(scope, "a", wanted);
    const expect = task?.revision ?? 0;
    const events = [{ n: expect + 1, text: `"${name} ${String(i)}"` }];
    const [result] = await store.commit([{ scope, taskId: "a", expect, fence: 0, events }]);
    if (result === "ok") break;
    if (result !== "conflict") throw new Error(`refused with ${String(result)}`);
    conflicts += 1;
  }
}
await store.close?.();
process.stdout.write(String(conflicts));
