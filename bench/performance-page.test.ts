import { expect, test } from "vitest";
import { performancePage } from "./performance-page.ts";

const row = (name: string, value: number) => ({ name, value, unit: "ms", goal: "≤ 9 ms", met: value <= 9 });

test("a bench's table takes the place of its earlier one, and others stay", () => {
  const first = performancePage(
    "",
    [
      { id: "start", title: "Start", rows: [row("again", 12.34)] },
      { id: "canvas", title: "Canvas", rows: [row("pan | zoom", 8)] },
    ],
    "Measured today.",
  );
  expect(first).toContain("# How fast it is");
  expect(first).toContain("| again | 12.3 ms    |      |       | ≤ 9 ms, missed |");
  expect(first).toContain("pan \\| zoom");
  const second = performancePage(first, [{ id: "start", title: "Start", rows: [row("again", 7)] }], "Measured later.");
  expect(second).toContain("7.00 ms");
  expect(second).not.toContain("12.3 ms");
  expect(second).toContain("## Canvas\n\nMeasured today.");
  expect(second.match(/^# /gm)).toHaveLength(1);
});
