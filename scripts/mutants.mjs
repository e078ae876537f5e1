import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { plannedFaults, withFault } from "./mutants/faults.mjs";
import { specsOfChange } from "./testing/changed.mjs";
import { endPrograms } from "./testing/programs.mjs";
import { root } from "./testing/root.mjs";
import { testFiles } from "./testing/selection.mjs";
import { steps } from "./testing/steps.mjs";

const usage = `npm run test:mutants -- [--seed <n>] [--count <n>] [--from <n>] [--to <n>] [--list]

Plants small faults in the sources, one after the other, and says which of them the tests that go through their file find:
those of npm test, and those of npm run test:rest. Each takes up to some minutes. --list only shows the faults.`;

const text = { type: "string" };
const options = { seed: text, count: text, from: text, to: text, list: { type: "boolean" }, help: { type: "boolean" } };
const { values } = parseArgs({ options });
if (values.help) {
  console.log(usage);
  process.exit(0);
}
const count = Number(values.count ?? 60);
const faults = plannedFaults(count, Number(values.seed ?? 1));
const from = Number(values.from ?? 1);
const to = Number(values.to ?? count);

const limitMs = 15 * 60_000;

/** The source that has a fault at the moment, as it was. */
let original;

function restore() {
  if (original) writeFileSync(original.path, original.text);
  original = undefined;
}

process.once("exit", restore);
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => {
    endPrograms();
    process.exit(1);
  });
}

/** Whether a step fails; one that does not end, since the fault lets something go round for ever, has failed too. */
async function fails(name, tests) {
  const timer = setTimeout(endPrograms, limitMs);
  const { code = 0 } = await steps[name](tests, () => undefined);
  clearTimeout(timer);
  return code !== 0;
}

/** The step that finds the fault: of `npm test`, else of the rest; null where none does. */
async function foundBy({ file }) {
  const beside = testFiles().filter((test) => test.startsWith(`${dirname(file)}/`));
  const specs = specsOfChange([file]);
  for (const part of ["main", "rest"]) {
    const name = part === "main" ? "" : "rest, ";
    // Those beside it first: they are quick, and most likely to find it.
    if (beside.length > 0 && (await fails("unit", { part, files: beside }))) return { part, name: `${name}unit` };
    if (await fails("unit", { part, related: [file] })) return { part, name: `${name}unit` };
    if (specs.length === 0) continue;
    if (part === "main" && (await fails("build"))) return { part, name: "build" };
    if (await fails("e2e", { part, files: specs })) return { part, name: `${name}e2e` };
  }
  return null;
}

const found = { main: 0, rest: 0 };
for (const [index, fault] of faults.entries()) {
  const number = index + 1;
  if (number < from || number > to) continue;
  const place = `${String(number).padStart(3)} ${fault.file}:${fault.line}  ${fault.before} → ${fault.after}`;
  if (values.list) {
    console.log(place);
    continue;
  }
  const path = join(root, fault.file);
  original = { path, text: readFileSync(path, "utf8") };
  writeFileSync(path, withFault(original.text, fault));
  const finder = await foundBy(fault);
  restore();
  if (finder) found[finder.part] += 1;
  console.log(`${place}  ${finder?.name ?? "not found"}`);
}
const both = found.main + found.rest;
if (!values.list)
  console.log(
    `npm test finds ${found.main} of the ${both} that both find (${Math.round((found.main / both) * 100)} %)`,
  );
process.exit(0);
