import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { changedFiles, specsOfChange } from "./changed.mjs";
import { root } from "./root.mjs";

/** Steps that read the sources and write nothing, so that they can go side by side. */
export const readers = ["types", "lint", "format", "imports", "deno-types"];

const stepsOf = { main: [...readers, "build", "unit", "e2e"], rest: ["build", "unit", "deno", "e2e"] };
const stepNames = [...stepsOf.main, "deno"];

/**
 * What is run of a kind of tests: the part, or the files and a piece of the names of their tests, or what has changed.
 * @typedef {{ part?: "main" | "rest", files?: string[], title?: string, changed?: boolean }} Tests
 */

/**
 * What the arguments ask for: the steps, and the tests of the steps `unit` and `e2e`. Null for arguments that mean nothing.
 * @param {string[]} args
 * @returns {{ steps: string[], unit: Tests, e2e: Tests } | null}
 */
export function select(args) {
  const part = args[0] === "--rest" ? "rest" : "main";
  const rest = part === "rest" ? args.slice(1) : args;
  const whole = { unit: { part }, e2e: { part } };
  if (rest.length === 0) return { steps: stepsOf[part], ...whole };
  if (rest[0] === "--only") {
    const steps = (rest[1] ?? "").split(",");
    return rest.length === 2 && steps.every((name) => stepNames.includes(name)) ? { steps, ...whole } : null;
  }
  if (part === "rest") return null;
  if (rest.length === 1 && rest[0] === "--changed") return selectChanged();
  return rest.some((arg) => arg.startsWith("-")) ? null : selectNamed(rest);
}

function selectChanged() {
  const specs = specsOfChange(changedFiles());
  return {
    steps: [...readers, ...(specs.length > 0 ? ["build"] : []), "unit", ...(specs.length > 0 ? ["e2e"] : [])],
    unit: { part: "main", changed: true },
    e2e: { part: "main", files: specs },
  };
}

/** Files, folders and sources are found by their paths; what is no part of a path, is one of a test's name. */
function selectNamed(names) {
  const files = testFiles();
  const byPath = new Map(names.map((name) => [name, files.filter((file) => file.includes(stem(name)))]));
  const titles = names.filter((name) => byPath.get(name)?.length === 0);
  const [untested] = titles.filter((name) => isSource(name) || existsSync(join(root, name)));
  if (untested !== undefined) throw new Error(`“${untested}” has no test.`);
  if (titles.length > 1) return null;
  const [title] = titles;
  const named = [...byPath.values()].flat();
  const hasTitle = (file) => readFileSync(join(root, file), "utf8").includes(title);
  const chosen = named.length > 0 ? named : files.filter(hasTitle);
  if (title !== undefined && !chosen.some(hasTitle)) throw new Error(`No test's file or name has “${title}” in it.`);
  const specs = chosen.filter((file) => file.endsWith(".spec.ts"));
  const units = chosen.filter((file) => !file.endsWith(".spec.ts"));
  const needsSite = specs.length > 0 || units.some((file) => !file.startsWith("src/"));
  return {
    steps: [
      ...(needsSite ? ["build"] : []),
      ...(units.length > 0 ? ["unit"] : []),
      ...(specs.length > 0 ? ["e2e"] : []),
    ],
    unit: { files: units, title },
    e2e: { files: specs, title },
  };
}

const isSource = (name) => /\.(tsx?|mjs)$/.test(name);

/** A path without what tells a source from its test. */
const stem = (path) =>
  path
    .replace(/^\.\//, "")
    .replaceAll("\\", "/")
    .replace(/(\.test|\.spec)?\.(tsx?|mjs)$/, ".");

/** The paths of all tests. */
export function testFiles() {
  return ["src", "supabase", "cli", "scripts", "corpora", "bench", "worker", "e2e"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(test\.tsx?|spec\.ts)$/.test(name))
      .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
      .toSorted(),
  );
}
