import { describe, expect, it } from "vitest";
import type { ScheduledTrigger } from "../../../services/services.ts";
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
  problem: null,
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
});
