#!/usr/bin/env node
import { unsupportedNode } from "../cli/check-node.mjs";
import { ensureInstalled } from "../cli/install.mjs";
import { endPrograms } from "./testing/programs.mjs";
import { addTotals, emptyTotals } from "./testing/results.mjs";
import { root } from "./testing/root.mjs";
import { readers, select } from "./testing/selection.mjs";
import { steps } from "./testing/steps.mjs";

const usage = `npm test [-- <file or name> | --changed | --only <step>[,<step>]]
npm run test:rest [-- --only <step>[,<step>]]

npm test: installs what the tests need, checks the sources and runs what every change needs.
npm run test:rest: the remaining tests: slow ones, and the engine's and the nodes' once more in Deno.

<file or name>: the tests of these files, folders or sources, or those with this in their names; browser tests too.
--changed: the checks, and the tests that uncommitted changes affect; browser tests too.
--only: single steps, of types, lint, format, imports, deno-types, build, unit, deno, e2e.`;

function refuse(error) {
  console.error([error.message, error.hint].filter(Boolean).join("\n"));
  process.exit(1);
}

/** What to run, by the arguments; ends with the usage where they mean nothing. */
function chosen(args) {
  try {
    const selection = args.includes("--help") ? null : select(args);
    if (selection) return selection;
  } catch (error) {
    refuse(error);
  }
  (args.includes("--help") ? console.log : console.error)(usage);
  process.exit(args.includes("--help") ? 0 : 2);
}

function prepare() {
  const unsupported = unsupportedNode(process.versions.node);
  if (unsupported) refuse({ message: unsupported });
  try {
    ensureInstalled(root, { dev: true });
  } catch (error) {
    refuse(error);
  }
}

const selection = chosen(process.argv.slice(2));
prepare();
const total = emptyTotals();
const failedSteps = [];
const stepsLeft = new Set(selection.steps);
let isCutShort = false;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {
    // Whoever asks twice does not want to wait.
    if (isCutShort) process.exit(1);
    isCutShort = true;
    endPrograms();
  });
}

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
    if (isCutShort) return undefined;
    const started = Date.now();
    const { code = 0, ...totals } = await steps[name](selection[name] ?? {}, show);
    // What ends with an error although no test has failed, has failed all the same.
    if (code !== 0 && totals.failed === 0 && !isCutShort) totals.failed = 1;
    return { ...totals, seconds: Math.round((Date.now() - started) / 1000), isWhole: !isCutShort };
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
  const ended = await result;
  if (!ended) return;
  const { output, seconds, isWhole, ...totals } = ended;
  if (isWhole) stepsLeft.delete(name);
  process.stdout.write(output ?? "");
  addTotals(total, totals);
  if (totals.failed > 0) failedSteps.push(name);
  const skipped = totals.skipped.length > 0 ? `, ${totals.skipped.length} skipped` : "";
  console.log(`   ${name}: ${totals.passed} passed, ${totals.failed} failed${skipped} (${seconds} s)`);
}

// The checks first. The build alone, since tests use it. Then service tests beside browser tests: both mostly wait.
for (const side of [readers, ["build"], ["unit", "deno", "e2e"]]) {
  if (isCutShort) break;
  const chosen = selection.steps.filter((name) => side.includes(name));
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
if (isCutShort) console.log(`cut short; not run to their end: ${[...stepsLeft].join(", ")}`);
const skipped = total.skipped.length > 0 ? `, ${total.skipped.length} skipped` : "";
console.log(`${total.passed} passed, ${total.failed} failed${skipped}`);
process.exit(total.failed > 0 || isCutShort ? 1 : 0);
