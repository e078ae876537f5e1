import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { watchTabs } from "./watch-tabs.ts";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("document", Object.assign(new EventTarget(), { visibilityState: "visible" }));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("S58 tells of a run whose tab is gone, once, and of none that ended or goes on", async () => {
  const alive = new Set(["ended", "dead", "on"]);
  const own = ["ended", "dead", "on"];
  let told = 0;
  const look = () => vi.advanceTimersByTimeAsync(5_000);
  const stop = watchTabs(() => void (told += 1), { alive: async () => new Set(alive), own: () => own });
  await look();
  alive.delete("ended");
  own.shift();
  await look();
  expect(told).toBe(0);
  alive.delete("dead");
  await look();
  await look();
  expect(told).toBe(1);
  stop();
  alive.delete("on");
  await look();
  expect(told).toBe(1);
});
