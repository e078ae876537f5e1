import { expect, it } from "vitest";
import { nextTask } from "../engine/next-task.ts";
import { createBreather } from "./breathe.ts";

it("lets work go on for a slice, then makes all who ask wait for the next task, and begins anew there", async () => {
  let now = 0;
  const tasks: (() => void)[] = [];
  const breathe = createBreather({ now: () => now, nextTask: (callback) => tasks.push(callback) });
  expect(breathe()).toBeUndefined();
  now = 5;
  expect(breathe()).toBeUndefined();
  expect(tasks).toHaveLength(1);
  now = 40;
  const woken: string[] = [];
  const waiting = ["a", "b"].map((name) => breathe()?.then(() => woken.push(name)));
  expect(waiting.every((one) => one !== undefined)).toBe(true);
  await Promise.resolve();
  expect(woken).toEqual([]);
  tasks.shift()?.();
  await Promise.all(waiting);
  expect(woken).toEqual(["a", "b"]);
  expect(breathe()).toBeUndefined();
  expect(tasks).toHaveLength(1);
});

it("gives other tasks their turn while long work goes on", async () => {
  const breathe = createBreather({ now: () => performance.now(), nextTask });
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 0);
  const end = performance.now() + 150;
  while (performance.now() < end) await (breathe() ?? Promise.resolve());
  clearInterval(timer);
  expect(turns).toBeGreaterThan(0);
});
