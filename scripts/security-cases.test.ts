import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const page = readFileSync("docs/security.md", "utf8");

/** The rows of the list: number of the case, and the files that are said to test it. */
const cases = [...page.matchAll(/^- \*\*S(\d+)\*\* .* Tests: (.*)$/gm)].map(([, number = "", files = ""]) => ({
  name: `S${number}`,
  files: [...files.matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path),
}));

function filesIn(folder: string, names: RegExp): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : filesIn(path, names);
    return names.test(entry.name) ? [path] : [];
  });
}

const testFiles = (folder: string) => filesIn(folder, /\.(test|spec)\.tsx?$/);

describe("the list of security cases", () => {
  it.each(cases)("$name is tested where it says", ({ name, files }) => {
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      expect(existsSync(file), file).toBe(true);
      expect(readFileSync(file, "utf8"), file).toMatch(new RegExp(`\\b${name}\\b`));
    }
  });

  it("has every case that the code names", () => {
    const listed = new Set(cases.map(({ name }) => name));
    const folders = ["src", "supabase", "scripts", "worker", "bench"];
    const named = folders
      .flatMap((folder) => filesIn(folder, /\.(tsx?|mjs|sql)$/))
      .flatMap((path) => [...readFileSync(path, "utf8").matchAll(/\(((?:S\d{1,2}(?:, )?)+)\)/g)])
      .flatMap(([, names = ""]) => names.split(", "));
    expect(named.length).toBeGreaterThan(5);
    expect([...new Set(named)].filter((name) => !listed.has(name))).toEqual([]);
  });

  it("has every case that a test names", () => {
    const listed = new Set(cases.map(({ name }) => name));
    const folders = ["src", "supabase", "scripts", "e2e", "worker"];
    const named = folders
      .flatMap(testFiles)
      .flatMap((path) => [...readFileSync(path, "utf8").matchAll(/["'`](S\d{1,2})\b/g)].map(([, name = ""]) => name));
    expect(named.length).toBeGreaterThan(100);
    expect([...new Set(named)].filter((name) => !listed.has(name))).toEqual([]);
  });
});
