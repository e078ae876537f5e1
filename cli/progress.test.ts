import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { barLine, roughly } from "./progress.mjs";

test("says roughly how long a step takes", () => {
  expect([20, 60, 120].map(roughly)).toEqual(["about 20 seconds", "about 60 seconds", "about 2 minutes"]);
});

test("the bar grows with the time and never claims to be done", () => {
  const filled = (elapsed: number) => barLine("Building", elapsed, 20).split("█").length - 1;
  expect([0, 10, 20, 400].map(filled)).toEqual([0, 12, 23, 23]);
  expect(barLine("Building", 7.9, 20)).toMatch(/^Building {2}█+░+ {2}7 s of about 20 seconds$/);
});

test("without a terminal it is one line", () => {
  const file = fileURLToPath(new URL("progress.mjs", import.meta.url));
  const script = `import("${file}").then(({ tellProgress }) => tellProgress("Building the site", 20)())`;
  const { stdout, stderr } = spawnSync(process.execPath, ["-e", script], { encoding: "utf8" });
  expect([stdout, stderr]).toEqual(["", "Building the site, about 20 seconds…\n"]);
});
