import { useLayoutEffect } from "react";

/** When the run in the picture of the first paint began, by `performance.now()`. */
let beganAt: number | undefined;

/** Since when the run of the sign-in page's picture plays, the first paint included: it is played once. */
export function runBeganAt(): number {
  beganAt ??= performance.now();
  return beganAt;
}

/** Beside what takes the place of the first paint: takes that away in the same frame. */
export function LeaveShell() {
  useLayoutEffect(() => {
    const shell = document.getElementById("sign-in-shell");
    if (shell === null) return;
    // Nothing plays in a shell that was not shown, nor after the run's end.
    const playing = shell.querySelector("[data-played]")?.getAnimations({ subtree: true })[0];
    const isShown = shell.getClientRects().length > 0;
    if (isShown) beganAt ??= performance.now() - (playing ? Number(playing.currentTime ?? 0) : Infinity);
    shell.remove();
  }, []);
  return null;
}
