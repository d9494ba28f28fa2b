/** The fold that changes in place and the reducer that does not are one: whatever the events. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { apply, receive } from "../../src/task/apply.js";
import { encodeTask } from "../../src/task/encode-task.js";
import { cutTask } from "../../src/task/cut-task.js";
import { refusal } from "../../src/task/refusal.js";
import { TaskFold } from "../../src/task/task-fold.js";
import type { JsonObject } from "../../src/descriptor.js";
import type { Message, StreamResponse, Task } from "../../src/versions/pivot.js";
import { Role, TaskState } from "../../src/versions/pivot.js";
import { said, status, task, update } from "./events.js";

export const anyEvent: fc.Arbitrary<StreamResponse> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(fc.constantFrom("a", "b", "c"), fc.string(), fc.boolean()).map((t) => update(...t)),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.constantFrom(TaskState.WORKING, TaskState.INPUT_REQUIRED, TaskState.SUBMITTED),
        fc.option(fc.string()),
      )
      .map(([state, note]) => status(state, note ?? undefined)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...[TaskState.COMPLETED, TaskState.CANCELED].map((state) => status(state))),
  },
);
const anyStep = fc.oneof(
  anyEvent,
  fc.string().map((text): Message => said(text, Role.USER)),
);

const isMessage = (step: StreamResponse | Message): step is Message => "messageId" in step;

test("fold and reducer agree, and neither changes what it was given", () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 30 }), (steps) => {
      const start = task({ history: [said("u1", Role.USER)] });
      const before = JSON.stringify([start, steps]);
      const fold = new TaskFold(start);
      let reduced: Task = start;
      for (const step of steps) {
        if (isMessage(step)) {
          fold.receive(step);
          reduced = receive(reduced, step);
        } else {
          if (refusal(fold.task, step) === undefined) fold.apply(step);
          reduced = apply(reduced, step);
        }
        expect(fold.task).toEqual(reduced);
      }
      expect(JSON.stringify([start, steps])).toBe(before);
    }),
  );
});

test("what is cut out of the text is what a copy of the task without it would be", () => {
  const history = fc.option(
    fc.array(
      fc.string().map((text) => said(text)),
      { maxLength: 4 },
    ),
    { nil: undefined },
  );
  const artifacts = fc.option(fc.array(fc.string(), { maxLength: 3 }), { nil: undefined });
  const view = fc.record({ historyLength: fc.nat(5), artifacts: fc.boolean() }, { requiredKeys: [] });
  const note = fc.constantFrom<JsonObject | undefined>(
    undefined,
    { note: ',"history":[{}],"artifacts":[]' },
    { note: 1, history: [{}] },
    { note: 1, artifacts: [] },
  );
  const places = fc.record({ metadata: note, last: fc.boolean(), data: note });
  fc.assert(
    fc.property(history, artifacts, view, places, fc.boolean(), (messages, texts, asked, at, withLayout) => {
      const metadata = at.metadata && { metadata: at.metadata };
      const told = messages?.map((one) => (at.data ? { ...one, metadata: at.data } : one));
      const whole = task({
        ...(!at.last && metadata),
        ...(told && { history: told }),
        ...(texts && { artifacts: texts.map((text, i) => ({ artifactId: String(i), parts: [{ text }] })) }),
        ...(at.last && metadata),
      });
      const encoded = encodeTask(whole);
      const cut = JSON.parse(cutTask(withLayout ? encoded : { text: encoded.text }, asked)) as Task;
      const { history: all = [], artifacts: every = [], ...rest } = whole;
      const kept =
        asked.historyLength === undefined
          ? all
          : asked.historyLength === 0
            ? []
            : all.slice(-asked.historyLength);
      expect(cut).toEqual({
        ...rest,
        ...(kept.length > 0 && { history: kept }),
        ...(every.length > 0 && asked.artifacts !== false && { artifacts: every }),
      });
    }),
  );
});
