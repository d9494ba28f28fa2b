import { nameKey } from "../sql/name-key.js";
import type { Letter, TaskStore } from "../types.js";
import type { SqliteFile } from "./sqlite-file.js";
import { nameIn, nameOf, placeIn, taskKey, type PlaceRow } from "./sqlite-rows.js";

const LIVE = "select 1 from a2a_tasks where tenant = ? and owner = ? and id = ? and terminal = 0";
const POST = `insert into a2a_letters (tenant, owner, task, id, name, text) values (?, ?, ?, ?, ?, ?)
  on conflict do nothing`;
const WAITING = `select l.id as letter, l.name, l.text, t.tenant, t.owner, t.id, t.names
  from a2a_letters l join a2a_tasks t on t.tenant = l.tenant and t.owner = l.owner and t.id = l.task
  where l.answer is null and t.lease_holder = ? order by l.seq limit ?`;
const OF_LETTER = "tenant = ? and owner = ? and task = ? and id = ?";
const ANSWER = `update a2a_letters set answer = ? where ${OF_LETTER} and answer is null`;
const ANSWERED = `select answer from a2a_letters where ${OF_LETTER} and answer is not null`;
const TAKE = `delete from a2a_letters where ${OF_LETTER}`;

interface LetterRow extends PlaceRow {
  readonly letter: string;
  readonly name: string | null;
  readonly text: string;
}

const letterKey = ({ scope, taskId, id }: Letter): readonly [string, string, string, string] => [
  ...taskKey(scope, taskId),
  nameKey(id),
];

/** Letters between instances. */
export const sqliteMail = (file: SqliteFile): TaskStore["mail"] => ({
  post(letter) {
    const [tenant, owner, task, id] = letterKey(letter);
    return file.write(() => {
      if (file.get(LIVE, tenant, owner, task) === undefined) return false;
      file.run(POST, tenant, owner, task, id, nameOf(letter.id, id), letter.text);
      return true;
    });
  },
  waiting: (holder, limit) =>
    file.all<LetterRow>(WAITING, holder, limit).map((row) => ({
      id: nameIn(row.name, row.letter),
      ...placeIn(row),
      text: row.text,
    })),
  answer: (letter, text) => file.run(ANSWER, text, ...letterKey(letter)) > 0,
  collect(letter, { keep = false } = {}) {
    const key = letterKey(letter);
    // Most looks find nothing: they keep nobody from writing.
    const there = file.get<{ answer: string }>(ANSWERED, ...key);
    if (there === undefined || keep) return there?.answer;
    return file.write(() => {
      const found = file.get<{ answer: string }>(ANSWERED, ...key);
      if (found !== undefined) file.run(TAKE, ...key);
      return found?.answer;
    });
  },
});
