import { expect, it } from "vitest";
import { convert } from "../../src/convert.js";

const upOf = (timestamp: string): { value: unknown; losses: readonly unknown[] } =>
  convert("TaskStatus", { state: "completed", timestamp }, { from: "0.3", to: "1.0" });

const two = (number: number): string => String(number).padStart(2, "0");

/** Of every year, days that no month has too. */
const days = [2023, 2024, 1900, 2000].flatMap((year) =>
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13].flatMap((month) =>
    Array.from({ length: 33 }, (_, day) => ({ year, month, day })),
  ),
);

it("a time on a day that there is goes up as it is, on any other it is dropped", () => {
  let kept = 0;
  for (const { year, month, day } of days) {
    const date = new Date(Date.UTC(year, month - 1, day));
    const isThere =
      month >= 1 && month <= 12 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
    const timestamp = `${String(year)}-${two(month)}-${two(day)}T10:20:30.123456789Z`;
    const { value, losses } = upOf(timestamp);
    expect(value, timestamp).toEqual({ state: "TASK_STATE_COMPLETED", ...(isThere && { timestamp }) });
    expect(losses, timestamp).toEqual(isThere ? [] : [{ path: "/timestamp", code: "dropped" }]);
    if (isThere) kept += 1;
  }
  expect(kept).toBe(365 * 4 + 2);
});
