import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import BrowserReporter from "./browser-reporter.mjs";
import { readResults, resultsVariable, slowestFiles } from "./results.mjs";
import UnitReporter from "./vitest-reporter.mjs";

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "switchyard-results-"));
  path = join(folder, "results");
  vi.stubEnv(resultsVariable, path);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

test("unit tests that failed are named, files that could not be read too, and what was skipped", () => {
  const reporter = new UnitReporter();
  const unitTest = (fullName: string, state: string, messages: string[] = []) => ({
    fullName,
    result: () => ({ state, errors: messages.map((message) => ({ message })) }),
  });
  const file = (relativeModuleId: string, tests: object[], messages: string[] = [], duration = 0) => ({
    relativeModuleId,
    diagnostic: () => ({
      environmentSetupDuration: 0,
      prepareDuration: 100,
      collectDuration: 900,
      setupDuration: 0,
      duration,
    }),
    children: { allTests: () => tests, allSuites: () => [] },
    errors: () => messages.map((message) => ({ message })),
  });
  reporter.onTestModuleEnd(file("broken.test.ts", [], ["\u001B[31mNo such module\u001B[39m"]));
  reporter.onTestModuleEnd(
    file(
      "sums.test.ts",
      [
        unitTest("adds", "passed"),
        unitTest("divides", "failed", ["Error: expected 2 to be 3"]),
        unitTest("multiplies", "skipped"),
      ],
      [],
      4_000,
    ),
  );
  reporter.onTestRunEnd([], [{ message: "Nobody waited for it" }]);
  expect(readResults(path)).toEqual({
    passed: 1,
    failed: 3,
    skipped: ["sums.test.ts multiplies"],
    failures: [
      { name: "broken.test.ts", message: "No such module" },
      { name: "sums.test.ts divides", message: "Error: expected 2 to be 3" },
      { name: "an error outside all tests", message: "Nobody waited for it" },
    ],
  });
  expect(slowestFiles(path)).toBe("sums.test.ts 5 s, broken.test.ts 1 s");
});

test("browser tests that failed are named, with the page as it was where results are not kept", () => {
  const page = join(folder, "error-context.md");
  writeFileSync(page, '# Test info\n\n```\nError\n```\n\n```yaml\n- heading "Workflows"\n```\n\n# Test source\n');
  const reporter = new BrowserReporter();
  const end = (title: string, line: number, outcome: string, result: object) =>
    reporter.onTestEnd(
      { title, location: { file: "/e2e/a.spec.ts", line }, outcome: () => outcome },
      { status: "passed", errors: [], attachments: [], ...result },
    );
  const message = Array.from({ length: 50 }, (_, index) => `line ${index}`).join("\n");
  const failed = { errors: [{ message }], attachments: [{ name: "error-context", path: page }] };
  vi.stubEnv("CI", "1");
  end("opens", 3, "unexpected", failed);
  vi.stubEnv("CI", "");
  end("is read", 5, "unexpected", failed);
  end("closes", 9, "expected", {});
  end("waits", 1, "skipped", {});
  end("is cut short", 2, "skipped", { status: "interrupted" });
  const { failures, ...counts } = readResults(path);
  expect(counts).toEqual({ passed: 1, failed: 2, skipped: ["a.spec.ts:1 waits"] });
  expect(failures.map(({ name }) => name)).toEqual(["a.spec.ts:3 opens", "a.spec.ts:5 is read"]);
  expect(failures[0]?.message.split("\n").slice(-3)).toEqual(["line 39", "… 10 more lines", '- heading "Workflows"']);
  expect(failures[1]?.message).not.toContain("Workflows");
});

test("a run that was cut short has the results that were written", () => {
  expect(readResults(path)).toMatchObject({ passed: 0, failed: 0 });
  writeFileSync(path, '{"name":"adds","status":"passed"}\n');
  appendFileSync(path, '{"name":"divid');
  expect(readResults(path)).toMatchObject({ passed: 1, failed: 0 });
});
