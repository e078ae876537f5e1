import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSpendingLimit, reserveWithin, type Reservation } from "./spending-limit.ts";

const idle = new AbortController().signal;

const limitOf = (maxUsd: number) =>
  createSpendingLimit({
    maxUsd,
    refusal: (spentUsd) => ({ code: "budget", message: `${spentUsd} of ${maxUsd}`, hint: "", retryable: false }),
  });

const booked = (reservation: Reservation) => {
  if (!reservation.ok) throw new Error(reservation.error.message);
  return reservation;
};

describe("S92 a spending limit", () => {
  it("gives what is left, makes calls wait for those under way, and refuses what can never fit", async () => {
    const limit = limitOf(10);
    const first = booked(await limit.reserve({ minUsd: 1, maxUsd: 50 }, idle));
    expect(first.usd).toBe(10);
    const second = limit.reserve({ minUsd: 4, maxUsd: 4 }, idle);
    first.settle(5);
    expect(booked(await second).usd).toBe(4);
    expect(await limit.reserve({ minUsd: 6, maxUsd: 6 }, idle)).toMatchObject({ ok: false, error: { code: "budget" } });
    expect(limit.spentUsd).toBe(5);
  });

  it("lets a call that is stopped while it waits go, with nothing booked for it", async () => {
    const limit = limitOf(1);
    const first = booked(await limit.reserve({ minUsd: 1, maxUsd: 1 }, idle));
    const controller = new AbortController();
    const second = limit.reserve({ minUsd: 1, maxUsd: 1 }, controller.signal);
    controller.abort(new Error("Stopped."));
    await expect(second).rejects.toThrow("Stopped.");
    first.settle(0);
    expect(booked(await limit.reserve({ minUsd: 1, maxUsd: 1 }, idle)).usd).toBe(1);
  });

  it("knows no price: refuses", async () => {
    expect(await limitOf(1).reserve(null, idle)).toMatchObject({ ok: false, error: { code: "budget" } });
  });

  it("is passed by no order of parallel calls, nor is a limit around it", async () => {
    const call = fc.record({
      min: fc.integer({ min: 0, max: 5 }),
      more: fc.integer({ min: 0, max: 30 }),
      // A share of what was booked, as the call takes it.
      takes: fc.integer({ min: 0, max: 100 }),
      inner: fc.integer({ min: 0, max: 1 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 20 }), fc.scheduler(), async (calls, scheduler) => {
        const outer = limitOf(40);
        const inner = [limitOf(25), limitOf(30)];
        let underWay = 0;
        const work = calls.map(async ({ min, more, takes, inner: which }) => {
          await scheduler.schedule(Promise.resolve());
          const own = inner[which] ?? outer;
          const given = await reserveWithin([own, outer], { minUsd: min, maxUsd: min + more }, idle);
          if (!given.ok) return;
          expect(given.usd).toBeGreaterThanOrEqual(min);
          expect(given.usd).toBeLessThanOrEqual(min + more);
          underWay += given.usd;
          expect(outer.spentUsd + underWay).toBeLessThanOrEqual(40 + 1e-6);
          await scheduler.schedule(Promise.resolve());
          underWay -= given.usd;
          given.settle((given.usd * takes) / 100);
        });
        await scheduler.waitFor(Promise.all(work));
        for (const limit of [outer, ...inner]) expect(limit.spentUsd).toBeLessThanOrEqual(limit.maxUsd + 1e-6);
      }),
    );
  });
});
