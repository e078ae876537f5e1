import { describe, expect, it } from "vitest";
import { readCron, scheduleProblem } from "./cron.ts";
import { describeCron } from "./describe-cron.ts";

describe("readCron", () => {
  it.each([
    ["* * * * *", [null, null, null, null, null]],
    ["*/20 8-10 1,15 * MON-FRI", [[0, 20, 40], [8, 9, 10], [1, 15], null, [1, 2, 3, 4, 5]]],
    ["5/30 0 * jan,DEC 7", [[5, 35], [0], null, [1, 12], [0]]],
  ])("reads %s", (text, cron) => {
    expect(readCron(text)).toEqual({ ok: true, cron });
  });

  it.each([
    ["", "A schedule has five fields"],
    ["0 8 * *", "A schedule has five fields"],
    ["0 0 8 * * *", "A schedule has five fields"],
    ["@daily", "A schedule has five fields"],
    ["60 8 * * *", '"60" is not a valid minute.'],
    ["0 24 * * *", '"24" is not a valid hour.'],
    ["0 8 0 * *", '"0" is not a valid day of the month.'],
    ["0 8 L * *", '"L" is not a valid day of the month.'],
    ["0 8 * 13 *", '"13" is not a valid month.'],
    ["0 8 * * 8", '"8" is not a valid day of the week.'],
    ["0 8 * * MON#2", '"MON#2" is not a valid day of the week.'],
    ["10-5 8 * * *", '"10-5" is not a valid minute.'],
    ["*/0 8 * * *", '"*/0" is not a valid minute.'],
    ["1, 8 * * *", '"1," is not a valid minute.'],
    ["-5 8 * * *", '"-5" is not a valid minute.'],
  ])("says what is wrong with %j", (text, problem) => {
    expect(readCron(text)).toEqual({ ok: false, problem: expect.stringContaining(problem) });
  });
});

it("takes time zones by their names only", () => {
  const of = (timeZone: string) => scheduleProblem({ cron: "0 8 * * *", timeZone, missed: "skip" });
  expect(of("Europe/Berlin")).toBeUndefined();
  expect(of("UTC")).toBeUndefined();
  expect(of("Berlin")).toBe('"Berlin" is not a time zone. Use a name such as Europe/Berlin.');
  expect(of("")).toContain("is not a time zone");
});

it.each([
  ["0 8 * * *", "Every day at 08:00"],
  ["0 8 * * 1-5", "Every weekday at 08:00"],
  ["30 9,17 * * 1", "Every Monday at 09:30 and 17:30"],
  ["0 6 * * 0,6", "Every Saturday and Sunday at 06:00"],
  ["0 7 1 * *", "On day 1 of the month at 07:00"],
  ["0 7 1,15 * *", "On days 1 and 15 of the month at 07:00"],
  ["0 7 24 12 *", "On day 24 in December at 07:00"],
  ["0 7 13 * 5", "On day 13 of the month and every Friday at 07:00"],
  ["* * * * *", "Every minute"],
  ["*/15 * * * *", "Every 15 minutes"],
  ["0 * * * *", "Every hour"],
  ["20 * * * *", "Every hour at 20 minutes past"],
  ["*/10 8-17 * * 1-5", "Every 10 minutes from 08:00 to 17:59, every weekday"],
  ["5,25 * * * *", "At 5 and 25 minutes past the hour"],
  ["nonsense", ""],
])("says %s in words", (cron, words) => {
  expect(describeCron(cron)).toBe(words);
});
