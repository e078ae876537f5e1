import { onTestFinished, vi } from "vitest";

/**
 * Until the test ends no tab holds a lock. A tab that dies in a test is still there, and so would its locks be in a Node that
 * has some, where a browser lets them go.
 */
export function withoutLocks(): void {
  vi.stubGlobal("navigator", undefined);
  onTestFinished(() => void vi.unstubAllGlobals());
}
