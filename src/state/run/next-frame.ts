/** Calls back once, soon; a test brings its own. */
export type FrameScheduler = (callback: () => void) => void;

/** Hidden tabs get no frames, so a timer stands in: whichever comes first. */
const fallbackMs = 120;

/** Calls back with the next frame of the screen, or after a moment where there are no frames. */
export function nextFrame(callback: () => void): void {
  let done = false;
  const once = () => {
    if (done) return;
    done = true;
    clearTimeout(timer);
    if (frame !== undefined) cancelAnimationFrame(frame);
    callback();
  };
  const timer = setTimeout(once, fallbackMs);
  const frame = typeof requestAnimationFrame === "function" ? requestAnimationFrame(once) : undefined;
}
