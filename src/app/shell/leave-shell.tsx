import { useLayoutEffect } from "react";

/** When the run in the picture of the first paint began, by `performance.now()`. */
let beganAt: number | undefined;

/** Since when the run of the sign-in page's picture plays, the first paint included: it is played once. */
export function runBeganAt(): number {
  beganAt ??= performance.now() - playedInShell();
  return beganAt;
}

const firstPaint = () => document.getElementById("sign-in-shell");

/** Milliseconds. Nothing plays in a shell that was not shown, nor after the run's end. */
function playedInShell(): number {
  const shell = firstPaint();
  if (shell === null || shell.getClientRects().length === 0) return 0;
  const playing = shell.querySelector("[data-played]")?.getAnimations({ subtree: true })[0];
  return playing ? Number(playing.currentTime ?? 0) : Infinity;
}

/** Beside what takes the place of the first paint: takes that away in the same frame. */
export function LeaveShell() {
  useLayoutEffect(() => {
    const shell = firstPaint();
    if (shell === null) return;
    if (shell.getClientRects().length > 0) runBeganAt();
    shell.remove();
  }, []);
  return null;
}
