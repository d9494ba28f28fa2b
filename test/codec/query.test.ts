import { describe, expect, it } from "vitest";
import { decode } from "../../src/codec/decode.js";
import { fromQuery, toQuery } from "../../src/codec/query.js";
import { spellingsOf } from "../../src/codec/spellings.js";
import type { Table } from "../../src/descriptor.js";
import { CancelTaskRequest, GetTaskRequest, ListTasksRequest } from "../../generated/v1.0/tables.js";
import { errorOf } from "./support.js";

const read = (table: Table<unknown>, query: string): unknown =>
  decode(table, fromQuery(table, new URLSearchParams(query)), { direction: "request" });

const Names: Table<unknown> = {
  is: "object",
  proto: true,
  fields: { nameList: { is: "list", of: { is: "string" } }, flags: { is: "list", of: { is: "boolean" } } },
};

describe("fromQuery (A2A-11.5)", () => {
  it("booleans, numbers, enums, timestamps and text", () => {
    expect(
      read(
        ListTasksRequest,
        "contextId=c%201&status=TASK_STATE_WORKING&pageSize=20&pageToken=a%2Bb%26c&historyLength=0&includeArtifacts=false&statusTimestampAfter=2025-01-01T00%3A00%3A00%2B01%3A00",
      ),
    ).toEqual({
      contextId: "c 1",
      status: "TASK_STATE_WORKING",
      pageSize: 20,
      pageToken: "a+b&c",
      historyLength: 0,
      includeArtifacts: false,
      statusTimestampAfter: "2024-12-31T23:00:00Z",
    });
  });

  it("reads the protobuf names too, but not both at once", () => {
    expect(read(GetTaskRequest, "id=t1&history_length=1")).toEqual({ id: "t1", historyLength: 1 });
    expect(errorOf(() => read(GetTaskRequest, "id=t1&history_length=1&historyLength=2")).message).toBe(
      "historyLength: given twice",
    );
  });

  it("takes entries as well", () => {
    expect(
      fromQuery(GetTaskRequest, [
        ["id", "t"],
        ["historyLength", "3"],
      ]),
    ).toEqual({ id: "t", historyLength: "3" });
  });

  it.each([
    ["includeArtifacts=TRUE", "includeArtifacts"],
    ["includeArtifacts=1", "includeArtifacts"],
    ["includeArtifacts=", "includeArtifacts"],
    ["pageSize=abc", "pageSize"],
    ["pageSize=1e1", "pageSize"],
    ["pageSize=", "pageSize"],
    ["pageSize=1&pageSize=2", "pageSize"],
    ["status=2", "status"],
    ["status=working", "status"],
    ["status=INVALID", "status"],
    ["statusTimestampAfter=yesterday", "statusTimestampAfter"],
  ])("%s is refused", (query, field) => {
    const error = errorOf(() => read(ListTasksRequest, query));
    expect(error.reason).toBe("INVALID_PARAMS");
    expect(error.code).toBe(-32602);
    expect(error.violations).toMatchObject([{ field, pointer: `/${field}` }]);
  });

  it("ignores names that are no fields", () => {
    expect(read(ListTasksRequest, "A2A-Version=1.0&cursor=x&__proto__=1&constructor=2&toString=3")).toEqual(
      {},
    );
  });

  it("knows no spelling of another generation", () => {
    const Old: Table<unknown> = { ...Names, legacy: { names: "nameList" } };
    expect(read(Old, "names=a")).toEqual({});
  });

  it("lists: repeated or joined by commas (A2A-11.5-d)", () => {
    expect(read(Names, "nameList=a&nameList=b,c")).toEqual({ nameList: ["a", "b,c"] });
    expect(read(Names, "name_list=a,b")).toEqual({ nameList: ["a", "b"] });
    expect(read(Names, "flags=true,false")).toEqual({ flags: [true, false] });
    expect(errorOf(() => read(Names, "flags=true,yes")).message).toContain("flags: expected true or false");
  });

  it("blank ids are as absent as in a body", () => {
    expect(read(ListTasksRequest, "contextId=&tenant=")).toEqual({ tenant: "" });
  });
});

describe("toQuery (A2A-11.5-f)", () => {
  it("writes what fromQuery reads", () => {
    const value = {
      contextId: "c/1 +&=?#%:é😀'()*!",
      status: "TASK_STATE_WORKING",
      pageSize: 20,
      historyLength: 0,
      includeArtifacts: false,
      statusTimestampAfter: "2025-01-01T00:00:00.5Z",
    };
    const query = toQuery(ListTasksRequest, value);
    expect(query).toMatch(/^[\w.~%=&-]+$/);
    expect(read(ListTasksRequest, query)).toEqual(value);
  });

  it("leaves out what is not set and what is no field", () => {
    expect(toQuery(ListTasksRequest, { pageToken: undefined, tenant: null, other: 1 })).toBe("");
    expect(toQuery(Names, { nameList: ["a", "b c"], flags: [] })).toBe("nameList=a&nameList=b%20c");
  });

  it("refuses what a query cannot carry (A2A-11.5-e)", () => {
    expect(errorOf(() => toQuery(CancelTaskRequest, { id: "t", metadata: { a: 1 } })).message).toBe(
      "metadata: a nested value cannot be sent in a query",
    );
    expect(errorOf(() => toQuery(ListTasksRequest, { pageToken: "a\ud800" })).message).toBe(
      "pageToken: half a surrogate pair cannot be sent in a query",
    );
    expect(toQuery(ListTasksRequest, { pageToken: "\u{1f600}" })).toBe("pageToken=%F0%9F%98%80");
    expect(errorOf(() => toQuery({ is: "string" }, {})).reason).toBe("CONFIG");
  });
});

it("spellingsOf lists what both modes read", () => {
  expect(spellingsOf(ListTasksRequest, "contextId").toSorted()).toEqual(["contextId", "context_id"]);
  expect(spellingsOf(ListTasksRequest, "status")).toEqual(["status"]);
  expect(spellingsOf({ ...GetTaskRequest, legacy: { taskName: "id" } } as Table<unknown>, "id")).toEqual([
    "id",
  ]);
  expect(spellingsOf(GetTaskRequest, "constructor")).toEqual([]);
});
