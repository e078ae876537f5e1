import { nextFrame, type FrameScheduler } from "./next-frame.ts";

/** How long the page rests after a frame, as a multiple of what the frame took. */
const restPerFrame = 2;
/** What is shown is never older than this because of a rest, in milliseconds. */
const longestRestMs = 100;

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * A scheduler that spends at most a third of the page's time on drawing: a run goes on in the same thread, and each frame
 * holds up the answer that has just come in. Where drawing is quick, every frame is used.
 */
export function pacedFrames(schedule: FrameScheduler = nextFrame, now = () => performance.now()): FrameScheduler {
  let rested = Promise.resolve();
  const rest = async (began: number) => {
    // Comes after the browser has painted.
    await sleep(0);
    await sleep(Math.min((now() - began) * restPerFrame, longestRestMs));
  };
  return (callback) =>
    void rested.then(() =>
      schedule(() => {
        rested = rest(now());
        callback();
      }),
    );
}
