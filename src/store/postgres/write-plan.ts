import { eventRows } from "../sql/event-body.js";
import { encodeLayout } from "../sql/layout-text.js";
import { nameKey } from "../sql/name-key.js";
import { trimsOutbox } from "../sql/trims-outbox.js";
import {
  ANSWER_LETTERS,
  COUNT,
  DROP_EVENTS,
  DROP_MESSAGES,
  INSERT_EVENTS,
  INSERT_MESSAGES,
  INSERT_OUTBOX,
  INSERT_TASKS,
  PUT_CONFIGS,
  TRIM_OUTBOX,
  TASK_COLUMNS,
  UPDATE_TASKS,
} from "./commit-sql.js";
import { countChanges, type TaskPlan } from "./commit-plan.js";
import type { Query } from "./database.js";
import { nameOf, namesOf } from "../sql/keys.js";
import type { Statement } from "./statement.js";

/** The statements that write the plans of a batch: one of each kind, whatever the number of tasks. */
export function writePlans(plans: readonly TaskPlan[], maxEvents: number): Query[] {
  const written = plans.filter(({ before, state }) => state !== before);
  const rows = (of: (plan: TaskPlan) => readonly (readonly unknown[])[]): (readonly unknown[])[] =>
    written.flatMap((plan) => of(plan).map((row) => [...plan.key, ...row]));
  const queries: Query[] = [];
  const add = (statement: Statement, found: readonly (readonly unknown[])[], width: number): void => {
    if (found.length > 0) queries.push([statement, transpose(found, width)]);
  };
  const width = TASK_COLUMNS.length;
  add(INSERT_TASKS, written.filter(({ before }) => before === undefined).map(taskRow), width);
  add(UPDATE_TASKS, written.filter(({ before }) => before !== undefined).map(taskRow), width);
  add(DROP_EVENTS, rows(droppedEvents), 4);
  add(INSERT_EVENTS, rows(keptRows), 6);
  add(DROP_MESSAGES, rows(droppedMessages), 4);
  add(INSERT_MESSAGES, rows(messageRows), 6);
  add(PUT_CONFIGS, rows(configRows), 8);
  add(INSERT_OUTBOX, rows(outboxRows), 7);
  const long = rows((plan) => longQueues(plan, maxEvents));
  if (long.length > 0) queries.push([TRIM_OUTBOX, [...transpose(long, 4), maxEvents]]);
  add(
    ANSWER_LETTERS,
    rows(({ answers }) => answers.map(({ id, text }) => [nameKey(id), text])),
    5,
  );
  add(COUNT, countChanges(written), 4);
  return queries;
}

function transpose(rows: readonly (readonly unknown[])[], width: number): unknown[][] {
  return Array.from({ length: width }, (_, i) => rows.map((row) => row[i] ?? null));
}

function taskRow({ key, scope, taskId, state, snapshot }: TaskPlan): unknown[] {
  if (state === undefined) return [];
  const { head, lease } = state;
  const [tenant, owner, id] = key;
  const contextId = nameKey(head.contextId);
  return [
    ...[tenant, owner, id, namesOf(scope, taskId, key)],
    ...[contextId, nameOf(head.contextId, contextId), head.state, head.timestamp, head.terminal],
    ...[state.revision, state.at, state.received],
    snapshot?.text ?? null,
    encodeLayout(snapshot?.layout),
    snapshot?.agent ?? null,
    ...[state.fence, lease?.holder ?? null, lease?.expires ?? null, state.replayFrom],
    head.terminal ? Date.parse(head.timestamp) || 0 : null,
  ];
}

/** What need not be kept is not written. */
const keptRows = ({ commits, state }: TaskPlan): unknown[][] =>
  commits.flatMap((events) =>
    eventRows(events.filter(({ n }) => n > (state?.replayFrom ?? 0))).map(({ first, last, body }) => [
      first,
      last,
      body,
    ]),
  );

const droppedEvents = ({ before, state }: TaskPlan): unknown[][] =>
  before !== undefined && state !== undefined && state.replayFrom > before.replayFrom
    ? [[state.replayFrom]]
    : [];

const messageRows = ({ messages, state }: TaskPlan): unknown[][] =>
  messages.filter(({ k }) => k > (state?.received ?? 0)).map(({ k, after, text }) => [k, after, text]);

const droppedMessages = ({ before, state }: TaskPlan): unknown[][] =>
  before !== undefined && state !== undefined && state.received > before.received ? [[state.received]] : [];

const configRows = ({ configs }: TaskPlan): unknown[][] =>
  [...configs.values()].map(({ id, text, version, disabled }) => {
    const key = nameKey(id);
    return [key, nameOf(id, key), text, version, disabled === true];
  });

const outboxRows = ({ outbox }: TaskPlan): unknown[][] =>
  outbox.map(({ configId, n, text }) => {
    const key = nameKey(configId);
    return [key, nameOf(configId, key), n, text];
  });

/** Webhooks whose deliveries may have become too many. */
const longQueues = ({ outbox }: TaskPlan, most: number): unknown[][] =>
  [...new Set(outbox.filter(({ n }) => trimsOutbox(n, most)).map(({ configId }) => nameKey(configId)))].map(
    (key) => [key],
  );
