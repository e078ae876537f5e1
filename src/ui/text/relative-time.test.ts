import { expect, it } from "vitest";
import { relativeTime } from "./relative-time.ts";

it("says times as people do", () => {
  const now = Date.parse("2026-06-15T12:00:00Z");
  const ago = (seconds: number) => relativeTime(now - seconds * 1_000, now);
  expect([0, 50, 180, 3 * 3_600, 26 * 3_600, 9 * 86_400, 400 * 86_400].map(ago)).toEqual([
    "just now",
    "50 seconds ago",
    "3 minutes ago",
    "3 hours ago",
    "yesterday",
    "last week",
    "last year",
  ]);
  expect(relativeTime(now + 5_000, now)).toBe("just now");
});
