#!/usr/bin/env node
import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { unsupportedNode } from "../cli/check-node.mjs";
import { ensureInstalled } from "../cli/install.mjs";
import { folderForTests } from "./testing/folder-for-tests.mjs";
import { readBrowserReport, readUnitReport } from "./testing/reports.mjs";

const usage = `npm test [-- --only <step>[,<step>] | --changed]

Installs what the tests need and runs all of them.
--changed: the checks, and the unit tests that uncommitted changes affect.
Steps: types, lint, format, imports, deno-types, build, unit, deno, e2e`;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const temporary = mkdtempSync(join(folderForTests(), "switchyard-test-"));
// Postgres servers of tests run as a user of their own, who must get through.
chmodSync(temporary, 0o711);
process.once("exit", () => rmSync(temporary, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
const report = (name) => join(temporary, `${name}.json`);

/**
 * Runs a program; resolves to its exit code and what it printed. Each piece is also given to `show` as it comes, which
 * prints it unless told otherwise.
 */
function run(command, args, environment = {}, { show = (data) => process.stdout.write(data) } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, TMPDIR: temporary, NO_COLOR: "1", ...environment },
      stdio: ["ignore", "pipe", "pipe"],
      // What npm installs there are scripts of the shell; an argument of Node itself would be torn apart by it.
      shell: process.platform === "win32" && command !== process.execPath,
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (data) => {
        output += data;
        show(data);
      });
    }
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
    child.on("error", (error) => resolve({ code: 1, output: `${error.message}\n` }));
  });
}

const bin = (name) => join(root, "node_modules", ".bin", name);

/**
 * TypeScript 7, which checks in a third of the time. It has no JavaScript API, so dependency-cruiser and the tests of
 * exported code use TypeScript 6. Named by path, since both packages bring a program named `tsc`.
 */
const typeChecker = join(root, "node_modules", "typescript-native", "bin", "tsc");

let free = availableParallelism();
const waiting = [];

/** Does the work as soon as a processor is free for it. */
async function onFreeProcessor(work) {
  if (free > 0) free -= 1;
  else await new Promise((resolve) => waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  }
}

/** A step that is one check: it passes or fails as a whole. Its output is shown once it has ended. */
const check = (command, args) => () =>
  onFreeProcessor(async () => {
    const { code, output } = await run(command, args, {}, { show: () => undefined });
    return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: [], output };
  });

const all =
  (...steps) =>
  async () => {
    const total = { passed: 0, failed: 0, skipped: [], failures: [], output: "" };
    for (const result of await Promise.all(steps.map((step) => step()))) {
      add(total, result);
      total.output += result.output;
    }
    return total;
  };

function add(total, result) {
  total.passed += result.passed;
  total.failed += result.failed;
  total.skipped.push(...result.skipped);
  total.failures.push(...(result.failures ?? []));
}

function readReport(name) {
  try {
    return JSON.parse(readFileSync(report(name), "utf8"));
  } catch {
    return undefined;
  }
}

async function unit(show) {
  const { code } = await run(
    bin("vitest"),
    [
      "run",
      ...(onlyChanged ? ["--changed", "--passWithNoTests"] : []),
      "--reporter=dot",
      "--reporter=json",
      `--outputFile.json=${report("unit")}`,
    ],
    {},
    { show },
  );
  const results = readReport("unit");
  return results ? endedWith(code, readUnitReport(results)) : { passed: 0, failed: 1, skipped: [] };
}

/** A step that ends with an error although no test has failed has failed all the same. */
const endedWith = (code, results) => ({ ...results, failed: results.failed === 0 && code !== 0 ? 1 : results.failed });

/** The engine's and the nodes' own tests once more, in the edge functions' runtime. */
async function deno(show) {
  const { code, output } = await run(
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
    {},
    { show },
  );
  const count = (word) =>
    Number(new RegExp(`\\b(\\d+) ${word}`).exec(output.slice(output.lastIndexOf(" passed") - 12))?.[1] ?? 0);
  const failed = count("failed");
  return { passed: count("passed"), failed: failed === 0 && code !== 0 ? 1 : failed, skipped: [] };
}

async function browser(show) {
  const { findChromium } = await import("./chromium.mjs");
  const { code } = await run(
    bin("playwright"),
    ["test", "--reporter=line,json"],
    {
      CHROMIUM_PATH: findChromium(),
      PLAYWRIGHT_JSON_OUTPUT_FILE: report("e2e"),
    },
    { show },
  );
  const results = readReport("e2e");
  if (!results) return { passed: 0, failed: 1, skipped: [] };
  return endedWith(code, readBrowserReport(results, { withPage: Boolean(process.env.CI) }));
}

const steps = {
  types: all(
    ...["pure", "app", "node"].map((name) => check(process.execPath, [typeChecker, "-p", `tsconfig.${name}.json`])),
  ),
  lint: check(bin("oxlint"), ["--deny-warnings"]),
  format: check(bin("oxfmt"), ["--check", "."]),
  imports: check(bin("depcruise"), [
    "--config",
    ".dependency-cruiser.cjs",
    "--output-type",
    "err",
    "src",
    "supabase",
    "worker",
    "cli",
    "scripts",
    "bench",
    "corpora",
    "e2e",
  ]),
  "deno-types": check(bin("deno"), [
    "check",
    "--quiet",
    // From the root's package.json, where the types of Node are; a test compares its versions with the import map.
    "--node-modules-dir=manual",
    "supabase/functions/*/index.ts",
  ]),
  // As `npm start` does it, so that the studios of the browser tests find it built.
  build: check(process.execPath, [
    "--input-type=module",
    "--eval",
    'import { ensureBuilt } from "./scripts/build-site.mjs"; ensureBuilt(process.cwd());',
  ]),
  unit,
  deno,
  e2e: browser,
};

/** Steps that read the sources and write nothing, so that they can go side by side. */
const readers = ["types", "lint", "format", "imports", "deno-types"];

const onlyChanged = process.argv.slice(2).join(" ") === "--changed";

function chosenSteps(args) {
  if (args.length === 0) return Object.keys(steps);
  if (onlyChanged) return [...readers, "unit"];
  const names = args[0] === "--only" ? (args[1] ?? "").split(",") : [];
  if (args.length === 2 && names.length > 0 && names.every((name) => name in steps)) return names;
  console.error(usage);
  process.exit(args.includes("--help") ? 0 : 2);
}

function prepare() {
  const unsupported = unsupportedNode(process.versions.node);
  if (unsupported) {
    console.error(unsupported);
    process.exit(1);
  }
  try {
    ensureInstalled(root, { dev: true });
  } catch (error) {
    console.error(`${error.message}\n${error.hint ?? ""}`);
    process.exit(1);
  }
}

const names = chosenSteps(process.argv.slice(2));
prepare();
const total = { passed: 0, failed: 0, skipped: [], failures: [] };
const failedSteps = [];

/**
 * Runs a step, once `after` has settled, and counts its seconds. What it prints is kept until `release` is called, and
 * shown from then on.
 */
function start(name, after = Promise.resolve()) {
  let kept = "";
  let isOpen = false;
  const show = (data) => {
    if (isOpen) process.stdout.write(data);
    else kept += data;
  };
  const timed = async () => {
    const started = Date.now();
    return { ...(await steps[name](show)), seconds: Math.round((Date.now() - started) / 1000) };
  };
  const result = after.then(timed);
  const release = () => {
    isOpen = true;
    process.stdout.write(kept);
  };
  return { result, release };
}

/** Waits for a step and says how it went. */
async function finish(name, { result, release }) {
  console.log(`\n── ${name}`);
  release();
  const { output, seconds, ...counts } = await result;
  process.stdout.write(output ?? "");
  add(total, counts);
  if (counts.failed > 0) failedSteps.push(name);
  const skipped = counts.skipped.length > 0 ? `, ${counts.skipped.length} skipped` : "";
  console.log(`   ${name}: ${counts.passed} passed, ${counts.failed} failed${skipped} (${seconds} s)`);
}

// The checks first. The build alone, since tests use it. Then service tests beside browser tests: both mostly wait.
for (const side of [readers, ["build"], ["unit", "deno", "e2e"]]) {
  const chosen = names.filter((name) => side.includes(name));
  const started = new Map(chosen.filter((name) => name !== "deno").map((name) => [name, start(name)]));
  // In the place of the first of its neighbours that ends: three at once would get in each other's way.
  const neighbours = [...started.values()].map(({ result }) => result);
  if (chosen.includes("deno"))
    started.set("deno", start("deno", neighbours.length > 0 ? Promise.race(neighbours) : undefined));
  for (const name of chosen) await finish(name, started.get(name));
}
console.log("");
for (const name of total.skipped) console.log(`skipped: ${name}`);
// Once more, where nobody has to look for them.
for (const { name, message } of total.failures) console.log(`failed: ${name}\n${message.replace(/^/gm, "  ")}\n`);
if (failedSteps.length > 0) console.log(`failed in: ${failedSteps.join(", ")}`);
const skipped = total.skipped.length > 0 ? `, ${total.skipped.length} skipped` : "";
console.log(`${total.passed} passed, ${total.failed} failed${skipped}`);
process.exit(total.failed > 0 ? 1 : 0);
