import { expect } from "vitest";
import * as v1 from "../../generated/v1.0/tables.js";
import { decode, type DecodeOptions, type Problem } from "../../src/codec/decode.js";
import { tolerant } from "../../src/codec/tolerant.js";
import type { Table } from "../../src/descriptor.js";
import { A2AError } from "../../src/errors.js";
import { expectedOf, type FieldCase, type Run } from "./cases.js";

const request: DecodeOptions = { direction: "request" };
const reply: DecodeOptions = { direction: "reply" };
const lenient = (problems: Problem[]): DecodeOptions => ({ direction: "reply", mode: tolerant, problems });

/** The error of a refused value. */
export function refusalOf<T>(table: Table<T>, value: unknown, options: DecodeOptions): A2AError {
  try {
    decode(table, value, options);
  } catch (error) {
    if (error instanceof A2AError) return error;
    throw error;
  }
  throw new Error(`accepted: ${JSON.stringify(value)}`);
}

/** Refused in requests and in replies, at this field. */
export const refused =
  <T>(table: Table<T>, field = ""): Run =>
  ({ input }) => {
    const asRequest = refusalOf(table, input, request);
    expect(asRequest.reason).toBe("INVALID_PARAMS");
    expect(asRequest.code).toBe(-32602);
    expect(asRequest.violations?.map((violation) => violation.field)).toContain(field);
    const asReply = refusalOf(table, input, reply);
    expect(asReply.violations?.map((violation) => violation.field)).toContain(field);
  };

/** Refused where a client sends it; a reply keeps it, as unknown names of enums are kept. */
const refusedInRequest =
  <T>(table: Table<T>, field: string): Run =>
  ({ input }) => {
    expect(refusalOf(table, input, request).violations?.[0]?.field).toBe(field);
    expect(decode<unknown>(table, input, reply)).toEqual(input);
  };

/** Read as the case expects, in requests and in replies. */
const read =
  <T>(table: Table<T>, want: (fieldCase: FieldCase) => unknown): Run =>
  (fieldCase) => {
    const wanted = want(fieldCase);
    expect(decode<unknown>(table, fieldCase.input, request)).toEqual(wanted);
    expect(decode<unknown>(table, fieldCase.input, reply)).toEqual(wanted);
  };

/** Read as the case expects in tolerant mode, with a report of each leniency; refused or left alone in strict mode. */
export const readLeniently =
  <T>(table: Table<T>, want: (fieldCase: FieldCase) => unknown, codes: readonly string[]): Run =>
  (fieldCase) => {
    const problems: Problem[] = [];
    expect(decode<unknown>(table, fieldCase.input, lenient(problems))).toEqual(want(fieldCase));
    expect(problems.map(({ code }) => code)).toEqual(codes);
  };

/** The value that the case expects. */
export const asExpected = (fieldCase: FieldCase): unknown => fieldCase.expected;

/** Codec cases of A2A 1.0. */
export const codecRuns: Record<string, Run> = {
  B001a: read(v1.Part, ({ input }) => input),
  B002a: refused(v1.Part),
  B002b: refused(v1.Part),
  B003b: readLeniently(v1.Part, (fieldCase) => ({ data: expectedOf<{ value: unknown }>(fieldCase).value }), [
    "empty_placeholder",
  ]),
  B004c: refusedInRequest(v1.TaskStatus, "state"),
  B005d: refused(v1.TaskStatus, "timestamp"),
  B006a: read(v1.Message, asExpected),
  B006b: ({ input }) => {
    expect(decode<unknown>(v1.Part, input, request)).toEqual({ text: "hi" });
    expect(decode<unknown>(v1.Part, input, reply)).toEqual(input);
  },
  B006c: refused(v1.Part),
  B006e: refused(v1.Message, "message_id"),
  B014a: read(v1.Part, ({ expected }) => ({
    ...(expected as object),
    mediaType: "application/octet-stream",
  })),
  B014b: refused(v1.Part, "raw"),
  B022a: refused(v1.Part),
  B024b: refusedInRequest(v1.TaskStatus, "state"),
  B026b: readLeniently(v1.Task, asExpected, ["legacy_value"]),
  B034b: ({ input }) => {
    expect(decode<unknown>(v1.SendMessageConfiguration, input, request)).toEqual({});
    expect(decode<unknown>(v1.SendMessageConfiguration, input, lenient([]))).not.toHaveProperty(
      "returnImmediately",
    );
  },
  B037b: refused(v1.OAuthFlows),
  B044a: ({ input }) => {
    expect(refusalOf(v1.TaskStatus, input, request).violations?.[0]?.field).toBe("state");
  },
  B075: refused(v1.AgentInterface, "protocolVersion"),
  B090c: read(v1.ListTasksResponse, asExpected),
  B113a: ({ input }) => {
    const { statusUpdate } = input as { statusUpdate: Record<string, unknown> };
    const { final, ...known } = statusUpdate;
    expect(final).toBe(true);
    expect(decode<unknown>(v1.StreamResponse, input, request)).toEqual({ statusUpdate: known });
    expect(decode<unknown>(v1.StreamResponse, input, reply)).toEqual(input);
  },
};

/** Validator cases of A2A 1.0. */
export const validatorRuns: Record<string, Run> = {
  B007: ({ input }) => {
    const missing = refusalOf(v1.AgentCard, input, reply).violations?.map(({ field }) => field);
    expect(missing).toEqual([
      "name",
      "description",
      "supportedInterfaces",
      "version",
      "capabilities",
      "defaultInputModes",
      "defaultOutputModes",
      "skills",
    ]);
  },
  B008a: namedField(v1.SendMessageRequest),
  B008b: namedField(v1.SendMessageRequest),
  B008d: namedField(v1.SendMessageRequest),
  B041b: ({ input }) => {
    expect(decode<unknown>(v1.AgentCard, input, reply)).toBe(input);
  },
  B089: ({ input }) => {
    const problems: Problem[] = [];
    expect(decode(v1.ListTasksRequest, input, { ...request, problems })).toEqual({});
    expect(problems.map(({ pointer }) => pointer)).toEqual(["/cursor", "/limit"]);
  },
  B092a: namedField(v1.ListTasksRequest),
  B092e: refused(v1.ListTasksRequest, "pageSize"),
  B093b: refused(v1.ListTasksRequest, "statusTimestampAfter"),
};

/** Refused with the code and at the fields that the case names. */
function namedField<T>(table: Table<T>): Run {
  return (fieldCase) => {
    const want = expectedOf<{ code: number; field?: string; fields?: string[] }>(fieldCase);
    const error = refusalOf(table, fieldCase.input, request);
    expect(error.code).toBe(want.code);
    expect(error.violations?.map(({ field }) => field)).toEqual(want.fields ?? [want.field]);
  };
}
