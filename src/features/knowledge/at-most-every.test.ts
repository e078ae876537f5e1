import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { atMostEvery } from "./at-most-every.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it("works at once, then once for all that was asked meanwhile", () => {
  const work = vi.fn<() => void>();
  const { ask, stop } = atMostEvery(1_000, work);
  ask();
  expect(work).toHaveBeenCalledTimes(1);
  for (let n = 0; n < 200; n += 1) ask();
  expect(work).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1_000);
  expect(work).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(5_000);
  expect(work).toHaveBeenCalledTimes(2);
  ask();
  ask();
  stop();
  expect(work).toHaveBeenCalledTimes(4);
  vi.advanceTimersByTime(5_000);
  expect(work).toHaveBeenCalledTimes(4);
});
