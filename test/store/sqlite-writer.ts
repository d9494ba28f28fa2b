import { sqliteStore } from "../../src/store/sqlite/sqlite-store.js";

/** Appends events to task `a` of a file, each on top of what it reads; prints how many were refused on the way. */
const [path = "", name = "", count = "0"] = process.argv.slice(2);
const scope = { tenant: "", owner: "" };
const store = await sqliteStore({ path });
let conflicts = 0;
for (let i = 0; i < Number(count); i += 1) {
  for (;;) {
    // Its revision alone: no event is after that.
    const task = await store.read(scope, "a", { after: Number.MAX_SAFE_INTEGER });
    const expect = task?.revision ?? 0;
    const events = [{ n: expect + 1, text: `"${name} ${String(i)}"` }];
    const [result] = await store.commit([{ scope, taskId: "a", expect, fence: 0, events }]);
    if (result === "ok") break;
    conflicts += 1;
  }
}
await store.close?.();
process.stdout.write(String(conflicts));
