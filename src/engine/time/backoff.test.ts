import { describe, expect, it } from "vitest";
import type { RunErrorData } from "../errors.ts";
import { testHost } from "../testing/test-host.ts";
import { retryDelay } from "./backoff.ts";

const busy: RunErrorData = { code: "rate_limit", message: "Busy.", hint: "Wait.", retryable: true };

/** A host whose next id makes this chance, from 0 to almost 1. */
function hostWithChance(chance: number) {
  const digits = Math.min(0xffffffff, Math.floor(chance * 2 ** 32)).toString(16);
  return { ...testHost(), newId: () => `${digits.padStart(8, "0")}-0000-4000-8000-000000000000` };
}

describe("retryDelay", () => {
  it("doubles from one second up to thirty, between half and all of it by chance", () => {
    const least = [1, 2, 3, 9].map((attempt) => retryDelay(hostWithChance(0), attempt, busy));
    const most = [1, 2, 3, 9].map((attempt) => retryDelay(hostWithChance(1), attempt, busy));
    expect(least).toEqual([500, 1_000, 2_000, 15_000]);
    expect(most).toEqual([1_000, 2_000, 4_000, 30_000]);
  });

  it("is what the other side asked for, whatever the attempt", () => {
    expect(retryDelay(hostWithChance(0.5), 3, { ...busy, retryAfterMs: 1_234 })).toBe(1_234);
  });
});
