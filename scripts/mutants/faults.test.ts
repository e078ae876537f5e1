import { expect, test } from "vitest";
import { faultsIn, plannedFaults, withFault } from "./faults.mjs";

test("faults turn a condition round, and leave types and texts alone", () => {
  const source =
    'type Flag = true;\nexport const isOpen = (a: number, b: Flag) => a < 3 && !b; // true === true\nconst text = "a < b";\n';
  const faults = faultsIn("x.ts", source);
  expect(faults.map(({ line, before, after }) => [line, before, after])).toEqual([
    [2, "&&", "||"],
    [2, "<", ">="],
    [2, "!b", "(b)"],
  ]);
  expect(faults.map((fault) => withFault(source, fault).split("\n")[1]?.split("=> ")[1]?.split(";")[0])).toEqual([
    "a < 3 || !b",
    "a >= 3 && !b",
    "a < 3 && (b)",
  ]);
});

test("the same seed plants the same faults, in all folders alike", () => {
  const faults = plannedFaults(60, 1);
  expect(faults).toHaveLength(60);
  expect(plannedFaults(60, 1)).toEqual(faults);
  expect(plannedFaults(60, 2)).not.toEqual(faults);
  const folders = new Set(faults.map(({ file }) => file.split("/").slice(0, 2).join("/")));
  expect(folders.size).toBeGreaterThan(15);
});
