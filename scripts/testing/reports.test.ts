import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readBrowserReport, readUnitReport } from "./reports.mjs";

const assertion = (fullName: string, status: string, failureMessages: string[] = []) => ({
  fullName,
  status,
  failureMessages,
});

test("a report of unit tests names what failed, files that could not be read too, and what was skipped", () => {
  const report = {
    numPassedTests: 1,
    numFailedTests: 1,
    testResults: [
      { name: "broken.test.ts", status: "failed", message: "\u001B[31mNo such module\u001B[39m", assertionResults: [] },
      {
        name: "sums.test.ts",
        status: "failed",
        assertionResults: [
          assertion("adds", "passed"),
          assertion("divides", "failed", ["Error: expected 2 to be 3"]),
          assertion("multiplies", "skipped"),
        ],
      },
    ],
  };
  expect(readUnitReport(report)).toEqual({
    passed: 1,
    failed: 2,
    skipped: ["multiplies"],
    failures: [
      { name: "broken.test.ts", message: "No such module" },
      { name: "divides", message: "Error: expected 2 to be 3" },
    ],
  });
});

test("a report of browser tests names what failed, with the page as it was", () => {
  const folder = mkdtempSync(join(tmpdir(), "switchyard-reports-"));
  try {
    const path = join(folder, "error-context.md");
    writeFileSync(path, '# Test info\n\n```\nError\n```\n\n```yaml\n- heading "Workflows"\n```\n\n# Test source\n');
    const spec = (title: string, line: number, status: string, results: object[]) => ({
      title,
      file: "a.spec.ts",
      line,
      tests: [{ status, results }],
    });
    const long = Array.from({ length: 50 }, (_, index) => `line ${index}`).join("\n");
    const failed = [{ errors: [{ message: long }], attachments: [{ name: "error-context", path }] }];
    const report = {
      stats: { expected: 1, unexpected: 1, flaky: 0 },
      suites: [
        {
          suites: [{ specs: [spec("opens", 3, "unexpected", failed), spec("closes", 9, "expected", [])] }],
          specs: [spec("waits", 1, "skipped", [])],
        },
      ],
    };
    const { failures, ...counts } = readBrowserReport(report, { withPage: true });
    expect(counts).toEqual({ passed: 1, failed: 1, skipped: ["waits"] });
    expect(failures.map(({ name }) => name)).toEqual(["a.spec.ts:3 opens"]);
    expect(failures[0]?.message.split("\n").slice(-3)).toEqual(["line 39", "… 10 more lines", '- heading "Workflows"']);
    expect(readBrowserReport(report).failures[0]?.message).not.toContain("Workflows");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
