import { rmSync } from "node:fs";
import { join } from "node:path";
import { passedBefore } from "./passed-before.mjs";
import { onFreeProcessor, runProgram, temporary } from "./programs.mjs";
import { partVariable, restBrowserTests } from "./rest.mjs";
import { addTotals, emptyTotals, readResults, resultsVariable, slowestFiles } from "./results.mjs";
import { root } from "./root.mjs";

const bin = (name) => join(root, "node_modules", ".bin", name);

/**
 * TypeScript 7, which checks in a third of the time. It has no JavaScript API, so dependency-cruiser and the tests of
 * exported code use TypeScript 6. Named by path, since both packages bring a program named `tsc`.
 */
const typeChecker = join(root, "node_modules", "typescript-native", "bin", "tsc");

const sources = ["src", "supabase", "worker", "cli", "scripts", "bench", "corpora", "e2e"];
const core = ["src/engine", "src/doors", "src/nodes", "src/providers"];

/**
 * A step that is one check: it passes or fails as a whole. Its output is shown once it has ended. With `inputs`, all that
 * its outcome depends on, it is left out where it has passed on them before.
 */
const check =
  (name, command, args, inputs = []) =>
  async () => {
    const before = inputs.length > 0 ? passedBefore(name, args, inputs) : undefined;
    if (before?.isSame)
      return { ...emptyTotals(), passed: 1, output: `   ${name} has passed on the same files before\n` };
    const { code, output } = await onFreeProcessor(() => runProgram(command, args));
    if (code !== 0) return { ...emptyTotals(), code, output };
    before?.note();
    return { ...emptyTotals(), passed: 1, output };
  };

const types = (part, inputs) =>
  check(
    `types-${part}`,
    process.execPath,
    [typeChecker, "-p", `tsconfig.${part}.json`],
    [`tsconfig.${part}.json`, ...inputs],
  );

async function all(...parts) {
  const total = { ...emptyTotals(), output: "" };
  for (const result of await Promise.all(parts.map((part) => part()))) {
    addTotals(total, result);
    total.output += result.output;
    total.code ||= result.code;
  }
  return total;
}

/** Runs a program whose reporter writes results. */
async function tests(name, command, args, environment, show) {
  const results = join(temporary, `${name}-results`);
  rmSync(results, { force: true });
  const { code } = await runProgram(command, args, {
    environment: { ...environment, [resultsVariable]: results },
    show,
  });
  const slowest = slowestFiles(results);
  return { ...readResults(results), code, output: slowest === "" ? "" : `\n   slowest: ${slowest}\n` };
}

const escaped = (text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** The unit tests of the part: of `files`, with `title` in their names, of what has `changed` or of what imports `related`. */
async function unit({ part, files = [], title, changed, related }, show) {
  const chosen = [
    ...(related ? ["related", ...related, "--run", "--bail=1"] : ["run", ...files]),
    ...(changed ? ["--changed"] : []),
    "--passWithNoTests",
    ...(title === undefined ? [] : ["-t", escaped(title)]),
  ];
  const args = [...chosen, "--reporter=dot", "--reporter=./scripts/testing/vitest-reporter.mjs"];
  const totals = await tests("unit", bin("vitest"), args, part === undefined ? {} : { [partVariable]: part }, show);
  // All that have other names count as skipped.
  return title === undefined ? totals : { ...totals, skipped: [] };
}

/** The browser tests of the specs `files` with `title` in their names, of the part. */
async function browser({ part, files = [], title }, show) {
  const { findChromium } = await import("../chromium.mjs");
  const chosen = [
    ...files.map((file) => `${escaped(file)}$`),
    ...(title === undefined ? [] : ["--grep", escaped(title)]),
    ...(part === undefined ? [] : [part === "rest" ? "--grep" : "--grep-invert", restBrowserTests]),
  ];
  const args = ["test", ...chosen, "--pass-with-no-tests", "--reporter=line,./scripts/testing/browser-reporter.mjs"];
  return tests("e2e", bin("playwright"), args, { CHROMIUM_PATH: findChromium() }, show);
}

/** The engine's and the nodes' own tests once more, in the edge functions' runtime. */
async function deno(_chosen, show) {
  const { code, output } = await runProgram(
    bin("deno"),
    [
      "test",
      "--no-check",
      "--quiet",
      "--reporter=dot",
      "--node-modules-dir=manual",
      "--import-map",
      "scripts/deno/import-map.json",
      "--allow-read",
      "--allow-env",
      "scripts/deno/all-tests.ts",
    ],
    { show },
  );
  const count = (word) =>
    Number(new RegExp(`\\b(\\d+) ${word}`).exec(output.slice(output.lastIndexOf(" passed") - 12))?.[1] ?? 0);
  return { ...emptyTotals(), passed: count("passed"), failed: count("failed"), code };
}

/**
 * Each takes the files that are chosen for it, and what shows its output; it returns totals, and the `code` that its program
 * ended with.
 */
export const steps = {
  types: () =>
    all(
      types("pure", core.concat("src/import", "src/export", "src/evaluation")),
      types("app", ["src"]),
      types("node", ["vite.config.ts", "vitest.config.ts", "playwright.config.ts", ...sources]),
    ),
  lint: check("lint", bin("oxlint"), ["--deny-warnings"]),
  format: check("format", bin("oxfmt"), ["--check", "."]),
  imports: check(
    "imports",
    bin("depcruise"),
    ["--config", ".dependency-cruiser.cjs", "--output-type", "err", ...sources],
    [".dependency-cruiser.cjs", "tsconfig.app.json", ...sources],
  ),
  "deno-types": check(
    "deno-types",
    bin("deno"),
    [
      "check",
      "--quiet",
      // From the root's package.json, where the types of Node are; a test compares its versions with the import map.
      "--node-modules-dir=manual",
      "supabase/functions/*/index.ts",
    ],
    ["package.json", "supabase/functions", ...core],
  ),
  // As `npm start` does it, so that the studios of the browser tests find it built.
  build: check("build", process.execPath, [
    "--input-type=module",
    "--eval",
    'import { ensureBuilt } from "./scripts/build-site.mjs"; ensureBuilt(process.cwd());',
  ]),
  unit,
  deno,
  e2e: browser,
};
