import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ensureBuilt } from "./build-site.mjs";

let project: string;
const source = () => join(project, "src", "app", "main.ts");

/** Writes what the page says, and counts how often that was done: only whether a build is needed is tested here. */
const builder = `
const fs = require("node:fs");
const out = process.argv[process.argv.indexOf("--outDir") + 1];
const said = fs.readFileSync("src/app/main.ts", "utf8");
if (said === "broken") process.exit(1);
fs.mkdirSync(out, { recursive: true });
fs.writeFileSync(out + "/index.html", said);
fs.appendFileSync("builds", "x");
`;

beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), "switchyard-build-"));
  const vite = join(project, "node_modules", "vite", "bin", "vite.js");
  for (const file of [vite, source()]) await mkdir(dirname(file), { recursive: true });
  await writeFile(vite, builder);
  await writeFile(source(), "first");
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

afterEach(async () => {
  vi.restoreAllMocks();
  await rm(project, { recursive: true, force: true });
});

const builds = async () => (await readFile(join(project, "builds"), "utf8")).length;
const page = () => readFile(join(project, "dist", "index.html"), "utf8");

test("the site is built once, and again when a source says something else", async () => {
  ensureBuilt(project);
  ensureBuilt(project);
  await expect(builds()).resolves.toBe(1);
  // As long as before, so that only its time tells.
  await writeFile(source(), "FIRST");
  await utimes(source(), new Date(), new Date(Date.now() + 5_000));
  ensureBuilt(project);
  await expect(page()).resolves.toBe("FIRST");
});

test("a source that was only touched, a test and a lost note need no build", async () => {
  ensureBuilt(project);
  await utimes(source(), new Date(), new Date(Date.now() + 5_000));
  await writeFile(join(project, "src", "app", "main.test.ts"), "a test");
  ensureBuilt(project);
  await rm(join(project, "node_modules", ".cache"), { recursive: true });
  ensureBuilt(project);
  await expect(builds()).resolves.toBe(1);
});

test("a build that fails says so and leaves the last one", async () => {
  ensureBuilt(project);
  await writeFile(source(), "broken");
  expect(() => ensureBuilt(project)).toThrow("The site could not be built");
  await expect(page()).resolves.toBe("first");
  expect(existsSync(join(project, "node_modules", ".cache", "switchyard"))).toBe(true);
});
