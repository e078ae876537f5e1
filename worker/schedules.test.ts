import { describe, expect, it } from "vitest";
import { type Firing, firingOf } from "./schedules.ts";

const at = (time: string) => Date.parse(time);

/** The times at which a schedule starts runs, of a worker that is there all the time. */
function slots(cron: string, timeZone: string, from: string, count: number): string[] {
  const found: string[] = [];
  let next = firingOf({ cron, time_zone: timeZone, missed: "skip", next_at: null }, at(from)).next;
  while (found.length < count && next !== null) {
    const firing: Firing = firingOf({ cron, time_zone: timeZone, missed: "skip", next_at: next }, next.getTime() + 500);
    if (firing.slot) found.push(firing.slot.toISOString().replace(":00.000Z", "Z"));
    next = firing.next;
  }
  return found;
}

describe("schedules keep to the clock of their time zone", () => {
  it("in Berlin, when summer time begins: 2:30 does not exist, and runs once at the end of the gap", () => {
    expect(slots("30 2 * * *", "Europe/Berlin", "2026-03-28T00:00:00Z", 3)).toEqual([
      "2026-03-28T01:30Z",
      "2026-03-29T01:00Z",
      "2026-03-30T00:30Z",
    ]);
    expect(slots("0 8 * * *", "Europe/Berlin", "2026-03-28T00:00:00Z", 2)).toEqual([
      "2026-03-28T07:00Z",
      "2026-03-29T06:00Z",
    ]);
  });

  it("in Berlin, when it ends: 2:30 comes twice and runs once, every hour runs in both", () => {
    expect(slots("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", 2)).toEqual([
      "2026-10-25T00:30Z",
      "2026-10-26T01:30Z",
    ]);
    expect(slots("0 * * * *", "Europe/Berlin", "2026-10-24T23:30:00Z", 4)).toEqual([
      "2026-10-25T00:00Z",
      "2026-10-25T01:00Z",
      "2026-10-25T02:00Z",
      "2026-10-25T03:00Z",
    ]);
  });

  it("in New York, when summer time begins", () => {
    expect(slots("30 2 * * *", "America/New_York", "2026-03-07T12:00:00Z", 2)).toEqual([
      "2026-03-08T07:00Z",
      "2026-03-09T06:30Z",
    ]);
    expect(slots("0 * * * *", "America/New_York", "2026-03-08T05:30:00Z", 3)).toEqual([
      "2026-03-08T06:00Z",
      "2026-03-08T07:00Z",
      "2026-03-08T08:00Z",
    ]);
  });

  it("in New York, when it ends", () => {
    expect(slots("30 1 * * *", "America/New_York", "2026-10-31T12:00:00Z", 2)).toEqual([
      "2026-11-01T05:30Z",
      "2026-11-02T06:30Z",
    ]);
    expect(slots("0 9 * * *", "America/New_York", "2026-10-31T12:00:00Z", 2)).toEqual([
      "2026-10-31T13:00Z",
      "2026-11-01T14:00Z",
    ]);
  });
});

describe("times that were missed", () => {
  const hourly = { cron: "0 * * * *", time_zone: "UTC", next_at: new Date("2026-05-01T08:00:00Z") };

  it("are left out, or one run stands for all, the latest", () => {
    const now = at("2026-05-01T11:20:00Z");
    const next = new Date("2026-05-01T12:00:00Z");
    expect(firingOf({ ...hourly, missed: "skip" }, now)).toEqual({ slot: null, next, problem: null });
    const latest = new Date("2026-05-01T11:00:00Z");
    expect(firingOf({ ...hourly, missed: "once" }, now)).toEqual({ slot: latest, next, problem: null });
  });

  it("are not those that are a minute late at most", () => {
    const skip = { ...hourly, missed: "skip" as const };
    expect(firingOf(skip, at("2026-05-01T08:00:00Z")).slot).toEqual(hourly.next_at);
    expect(firingOf(skip, at("2026-05-01T08:01:00Z")).slot).toEqual(hourly.next_at);
    expect(firingOf(skip, at("2026-05-01T08:01:01Z")).slot).toBeNull();
    // The one of this hour is in time, whatever was missed before it.
    expect(firingOf(skip, at("2026-05-01T11:00:30Z")).slot).toEqual(new Date("2026-05-01T11:00:00Z"));
  });
});

it("starts nothing for a trigger that is new, and says why one cannot run", () => {
  const fresh = { cron: "0 8 * * *", time_zone: "UTC", missed: "once" as const, next_at: null };
  expect(firingOf(fresh, at("2026-05-01T08:00:00Z"))).toEqual({
    slot: null,
    next: new Date("2026-05-02T08:00:00Z"),
    problem: null,
  });
  expect(firingOf({ ...fresh, cron: "0 8 30 2 *" }, 0).problem).toBe("This schedule never comes due.");
  expect(firingOf({ ...fresh, cron: "nonsense" }, 0)).toMatchObject({
    next: null,
    problem: expect.stringContaining("cannot be read"),
  });
  expect(firingOf({ ...fresh, time_zone: "Mars/Base" }, 0).problem).toContain("cannot be read");
});
