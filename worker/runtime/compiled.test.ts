import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { importCompiled } from "./compiled.mjs";

let project: string;

beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), "switchyard-compiled-"));
  await mkdir(join(project, "part"));
  await writeFile(
    join(project, "part", "main.ts"),
    [
      'import { word } from "./word.ts";',
      "export const said: string = word;",
      "export const place = import.meta.url;",
      'export const later = () => import("./later.ts").then((module) => module.late);',
    ].join("\n"),
  );
  await writeFile(join(project, "part", "word.ts"), 'export const word: string = "one";');
  await writeFile(join(project, "part", "later.ts"), 'export const late: string = "late";');
});

afterEach(() => rm(project, { recursive: true, force: true }));

interface Main {
  said: string;
  place: string;
  later(): Promise<string>;
}

const load = (): Promise<Main> => importCompiled("part/main.ts", project);

const cache = () => join(project, "node_modules", ".cache", "switchyard", "compiled");

async function compiledFolders(): Promise<string[]> {
  return (await readdir(cache())).filter((name) => !name.endsWith(".json"));
}

test("a file is compiled once with what it imports, and each part knows where its source is", async () => {
  const { said, place, later } = await load();
  expect(said).toBe("one");
  expect(place).toBe(pathToFileURL(join(project, "part", "main.ts")).href);
  await expect(later()).resolves.toBe("late");
  await load();
  await expect(compiledFolders()).resolves.toHaveLength(1);
});

test.each(["word.ts", "later.ts"])("a change of %s is there with the next load", async (name) => {
  await load();
  await writeFile(join(project, "part", name), `export const word: string = "changed", late = word;`);
  const { said, later } = await load();
  expect([said, await later()]).toContain("changed");
});

test("what a running process may still load is kept for a month, and then removed", async () => {
  await load();
  const [first = ""] = await compiledFolders();
  await writeFile(join(project, "part", "word.ts"), 'export const word = "second";');
  await load();
  expect(existsSync(join(cache(), first))).toBe(true);
  const longAgo = new Date(Date.now() - 40 * 24 * 60 * 60 * 1_000);
  await utimes(join(cache(), first), longAgo, longAgo);
  await writeFile(join(project, "part", "word.ts"), 'export const word = "the third";');
  await expect(load()).resolves.toMatchObject({ said: "the third" });
  expect(existsSync(join(cache(), first))).toBe(false);
});

test("a project that was moved is compiled anew", async () => {
  await load();
  const moved = `${project}-moved`;
  await rename(project, moved);
  project = moved;
  await expect(load()).resolves.toMatchObject({ place: pathToFileURL(join(moved, "part", "main.ts")).href });
});

test("a source that does not compile is named with its line", async () => {
  await writeFile(join(project, "part", "word.ts"), "export const word: string = ;");
  await expect(load()).rejects.toThrow("part/word.ts:1:28");
});

test("where nothing can be kept, the sources are loaded as they are", async () => {
  await writeFile(join(project, "node_modules"), "not a directory");
  await expect(load()).resolves.toMatchObject({ said: "one" });
});
