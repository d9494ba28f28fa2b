import { expect } from "vitest";
import { convert, type Converted } from "a2a-typed/convert";
import { comparable } from "../convert/compare.js";
import { expectedOf, type FieldCase, type Run } from "./cases.js";

/** The input of a case in the other version. `version` is `0.3->1.0`, or the one that it comes from. */
function converted({ type = "", version, input }: FieldCase): Converted {
  const [from = "", to = "1.0"] = version.split("->");
  return convert(type, input, { from, to });
}

/** The value is the one that is expected, in the comparison of the version mapping, and nothing is lost. */
const becomes =
  (newType: string): Run =>
  (fieldCase) => {
    const { value, losses } = converted(fieldCase);
    const to = fieldCase.version.split("->")[1] ?? "1.0";
    expect(comparable(to, newType, value)).toEqual(comparable(to, newType, fieldCase.expected));
    expect(losses).toEqual([]);
  };

/** Cases that cross versions. */
export const convertRuns: Record<string, Run> = {
  B005e: (fieldCase) => {
    const { value, losses } = converted(fieldCase);
    expect(value).toEqual({ state: "TASK_STATE_WORKING", ...expectedOf<object>(fieldCase) });
    expect(losses).toEqual([{ path: "/timestamp", code: "normalized" }]);
  },
  B029a: (fieldCase) => {
    const { value, losses } = converted(fieldCase);
    expect(losses).toEqual([{ path: "/mediaType", code: "dropped" }]);
    const back = convert("Part", value, { from: "0.3", to: "1.0" });
    expect(back).toEqual({ value: { data: [1, 2, 3] }, losses: [] });
  },
  B034a: becomes("SendMessageConfiguration"),
  B035a: (fieldCase) => {
    const { lossReport, ...expected } = expectedOf<{ lossReport: string[] }>(fieldCase);
    const { value, losses } = converted(fieldCase);
    expect(value).toEqual(expected);
    expect(lossReport).toEqual(["authentication.schemes[1]"]);
    expect(losses).toEqual([{ path: "/authentication/schemes/1", code: "truncated" }]);
  },
  B036a: becomes("TaskPushNotificationConfig"),
  B037a: (fieldCase) => {
    expect(converted(fieldCase).losses).toEqual([{ path: "/flows/clientCredentials", code: "truncated" }]);
  },
  B044b: (fieldCase) => {
    const { state } = expectedOf<{ state: string }>(fieldCase);
    expect(converted(fieldCase)).toEqual({ value: { state }, losses: [] });
  },
  B113b: becomes("StreamResponse"),
  B132: becomes("ListTaskPushNotificationConfigsResponse"),
};
