import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { pacedFrames } from "./paced-frames.ts";

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

/** How often a page draws in a second that always has something new to show and takes `frameMs` to draw it. */
async function framesInOneSecond(frameMs: number): Promise<number> {
  let frames = 0;
  const now = () => Date.now() + frames * frameMs;
  const schedule = pacedFrames((callback) => setTimeout(callback, 16), now);
  const drawNext = () =>
    schedule(() => {
      frames += 1;
      drawNext();
    });
  drawNext();
  while (now() < 1000) await vi.advanceTimersByTimeAsync(1);
  return frames;
}

test("uses every frame where drawing takes no time", async () => {
  expect(await framesInOneSecond(0)).toBeGreaterThan(50);
});

test("leaves two thirds of the time to the run where drawing is slow", async () => {
  const frames = await framesInOneSecond(30);
  expect(frames).toBeGreaterThan(5);
  expect(frames * 30).toBeLessThan(360);
});

test("shows what is new soon, however long the last frame took", async () => {
  expect(await framesInOneSecond(400)).toBe(2);
});
