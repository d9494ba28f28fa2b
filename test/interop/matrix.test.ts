import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { steps, type Step } from "./matrix/contract.js";
import { deliveryOf } from "./matrix/delivery.js";
import { expected } from "./matrix/expect.js";
import { judge } from "./matrix/judge.js";
import { known, knownOf, type KnownEntry } from "./matrix/known.js";
import { nameOf, rows, type Row } from "./matrix/peers.js";
import { jsonLines, remarks, tally } from "./matrix/report.js";
import { table, type RowReport } from "./matrix/table.js";
import { differences } from "./matrix/write-docs.js";

/** The table itself is run by `npm run test:interop`; here is how its cells are judged. */
const row = rows[0] as Row;
const right = { kind: "task", state: "completed", text: "heard complete" };
const wrong = { ...right, text: "heard nothing" };
const entry = (seen: Record<string, unknown>, kind: "known" | "absent" = "known"): KnownEntry => ({
  kind,
  seen,
  reason: "because it is so",
});
const send = (seen: Record<string, unknown>, entries: KnownEntry[] = []) =>
  judge(row, { step: "send", seen }, entries);

describe("a step", () => {
  it("that sees what it must is ok, whatever else it saw", () => {
    expect(send({ ...right, more: 1 })).toEqual({ outcome: "ok" });
  });

  it("that sees something else has failed, and says what", () => {
    expect(send(wrong)).toEqual({
      outcome: "failed",
      problem: 'text is "heard nothing" instead of "heard complete"',
    });
    expect(judge(row, { step: "send", failed: "Error: no" }, [])).toEqual({
      outcome: "failed",
      problem: "Error: no",
    });
  });

  it("whose difference is written down is known, or not offered", () => {
    expect(send(wrong, [entry({ text: "heard nothing" })])).toEqual({
      outcome: "known",
      reason: "because it is so",
    });
    expect(send(wrong, [entry({ text: "heard nothing" }, "absent")]).outcome).toBe("absent");
    const broken = { step: "send", failed: "Error: at 127.0.0.1:4711" } as const;
    expect(judge(row, broken, [entry({ failed: "Error: at…" })]).outcome).toBe("known");
  });

  it("has failed where it differs in another way than is written down, or in more", () => {
    expect(send({ ...right, text: "other" }, [entry({ text: "heard nothing" })]).outcome).toBe("failed");
    expect(send({ ...wrong, state: "failed" }, [entry({ text: "heard nothing" })]).outcome).toBe("failed");
    const broken = { step: "send", failed: "Error: other" } as const;
    expect(judge(row, broken, [entry({ failed: "Error: at…" })]).outcome).toBe("failed");
  });

  it("that is right by now makes what is written down stale", () => {
    expect(send(right, [entry({ text: "heard nothing" })])).toEqual({
      outcome: "stale",
      problem: "text is right now, remove: because it is so",
    });
    const half = [entry({ text: "heard nothing", state: "failed" })];
    expect(send(wrong, half).outcome).toBe("stale");
  });
});

it("every difference that is known is about a step that is run, and about a member that is looked at", () => {
  const idle = known.filter(
    (one) =>
      !rows.some((candidate) =>
        steps.some((step: Step) => {
          if (!knownOf(candidate, step).includes(one)) return false;
          const must = expected(step, candidate.version, candidate.binding);
          if ("notOffered" in must) return false;
          return Object.keys(one.seen).every((name) => name === "failed" || name in must.seen);
        }),
      ),
  );
  expect(idle).toEqual([]);
});

it("the documentation lists what is known (npm run test:interop -- --docs writes it)", () => {
  const docs = readFileSync(new URL("../../docs/interop.md", import.meta.url), "utf8");
  expect(docs).toContain(differences());
  for (const row of rows) expect(docs).toContain(`| ${row.client} → ${row.server} `);
});

it("rows have names of their own", () => {
  expect(new Set(rows.map(nameOf)).size).toBe(rows.length);
});

it.each([
  ["1.0", { statusUpdate: { taskId: "t", status: { state: "TASK_STATE_COMPLETED" } } }, "completed"],
  ["1.0", { artifactUpdate: { taskId: "t" } }, ""],
  ["0.3", { kind: "task", id: "t", status: { state: "input-required" } }, "input-required"],
  ["neither", { id: "t", status: { state: "TASK_STATE_WORKING" } }, "working"],
])("a webhook in the form %s", (form, body, delivered) => {
  const headers = { "x-a2a-notification-token": "secret" };
  expect(deliveryOf(JSON.stringify(body), headers)).toEqual({ delivered, form, token: "secret" });
});

it("the report counts cells, names what went wrong, and has a line of JSON for each step", () => {
  const reports: RowReport[] = [
    {
      row,
      results: [
        { step: "send", verdict: { outcome: "ok" }, line: { step: "send", seen: right }, ms: 5 },
        { step: "list", verdict: { outcome: "absent", reason: "no list" }, ms: 0 },
        { step: "push", verdict: { outcome: "failed", problem: "it broke" }, ms: 0 },
        { step: "card", verdict: { outcome: "stale", problem: "it works" }, ms: 0 },
      ],
    },
    { row, unavailable: "no network" },
    { row, broken: "it does not start" },
  ];
  expect(tally(reports)).toEqual({ ok: 1, absent: 1, known: 0, failed: 3, unavailable: 1 });
  expect(table(reports).split("\n")).toHaveLength(5);
  const text = remarks(reports);
  expect(text).toContain(`FAILED: it broke\n    push (${nameOf(row)})`);
  expect(text).toContain("unavailable: no network");
  const lines = jsonLines(reports).trim().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { outcome: string }).outcome)).toEqual([
    "ok",
    "absent",
    "failed",
    "stale",
    "unavailable",
    "failed",
  ]);
});
