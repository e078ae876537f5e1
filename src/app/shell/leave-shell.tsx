import { useLayoutEffect } from "react";

/** Beside what takes the place of the first paint: takes that away in the same frame. */
export function LeaveShell() {
  useLayoutEffect(() => document.getElementById("sign-in-shell")?.remove(), []);
  return null;
}
