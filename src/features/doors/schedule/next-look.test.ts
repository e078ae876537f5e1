import { describe, expect, it } from "vitest";
import type { ScheduledTrigger, StoredRunStatus } from "../../../services/services.ts";
import { nextLook } from "./next-look.ts";

const now = Date.parse("2026-11-26T18:00:00Z");

const schedule = (part: Partial<ScheduledTrigger>): ScheduledTrigger => ({
  id: "s",
  nodeId: "n",
  cron: "* * * * *",
  timeZone: "Etc/UTC",
  missed: "skip",
  enabled: true,
  nextAt: null,
  lastAt: null,
  skippedAt: null,
  refused: null,
  problem: null,
  lastRun: null,
  ...part,
});

const at = (seconds: number) => schedule({ nextAt: new Date(now + seconds * 1_000).toISOString() });

describe("when a list of schedules is read again", () => {
  it("is soon after the next time of any, and soon where a worker has still to set one", () => {
    expect(nextLook([at(3_600), at(60)], now)).toBe(62_000);
    expect(nextLook([at(60), schedule({})], now)).toBe(2_000);
    expect(nextLook([at(-1)], now)).toBe(2_000);
  });

  it("is seldom while no worker comes, and within a day however far the next time is", () => {
    expect(nextLook([at(-3_600)], now)).toBe(30_000);
    expect(nextLook([at(40 * 86_400)], now)).toBe(86_400_000);
  });

  it("is never while nothing starts by itself", () => {
    expect(nextLook([], now)).toBe(false);
    expect(nextLook([schedule({ enabled: false }), schedule({ problem: "It never runs." })], now)).toBe(false);
  });

  it("is soon while a last run goes on, also of a schedule that is switched off, and not once it has ended", () => {
    const withRun = (status: StoredRunStatus) =>
      schedule({ enabled: false, lastRun: { id: "r", status, ending: null, startedAt: "", error: null } });
    expect(nextLook([at(3_600), withRun("queued")], now)).toBe(5_000);
    expect(nextLook([at(3_600), withRun("running")], now)).toBe(5_000);
    expect(nextLook([at(3_600), withRun("waiting")], now)).toBe(30_000);
    expect(nextLook([withRun("failed"), withRun("completed")], now)).toBe(false);
  });
});
