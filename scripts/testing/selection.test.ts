import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { specsOfChange } from "./changed.mjs";
import { restFiles } from "./rest.mjs";
import { root } from "./root.mjs";
import { select, testFiles } from "./selection.mjs";
import { specsByFolder } from "./specs-by-folder.mjs";

test("a file, its source and its folder lead to the tests beside it", () => {
  const beside = ["src/engine/errors.test.ts"];
  for (const name of ["src/engine/errors.test.ts", "./src/engine/errors.ts", "engine/errors.test"])
    expect(select([name]), name).toMatchObject({ steps: ["unit"], unit: { files: beside } });
  const folder = select(["src/forms/"]);
  expect(folder?.unit.files?.length).toBeGreaterThan(3);
  expect(folder?.unit.files?.every((file) => file.startsWith("src/forms/"))).toBe(true);
});

test("a browser test is run by its file or by a piece of its name, on the built site", () => {
  const files = ["e2e/editing.spec.ts"];
  expect(select(["e2e/editing.spec.ts"])).toMatchObject({ steps: ["build", "e2e"], e2e: { files } });
  const title = "a forbidden connection says why";
  expect(select(["editing.spec", title])).toMatchObject({ steps: ["build", "e2e"], e2e: { files, title } });
  expect(select([title])?.e2e).toMatchObject({ title });
  expect(select([title])?.e2e.files).toContain(files[0]);
});

test("what no test has in its file or name is refused, and so are options that are none", () => {
  expect(() => select([["no", "test"].join(" such ")])).toThrow("No test's file or name");
  for (const args of [["--often"], ["--only"], ["--only", "unit,often"], ["--rest", "--changed"], ["x", "--only"]])
    expect(select(args), args.join(" ")).toBeNull();
});

test("a path without a test is refused, also beside one that has some", () => {
  for (const name of ["cli/deploy", "src/engine/no-such-file.test.ts"])
    expect(() => select([name, "src/engine/errors.ts"]), name).toThrow(`“${name}” has no test.`);
  expect(() => select(["src/engine/errors.ts", "src/no-such-folder"])).toThrow("No test's file or name");
});

test("what every change needs and the remaining are two parts of all steps", () => {
  expect(select([])).toMatchObject({ unit: { part: "main" }, e2e: { part: "main" } });
  expect(select([])?.steps).not.toContain("deno");
  expect(select(["--rest"])).toMatchObject({
    steps: ["build", "unit", "deno", "e2e"],
    unit: { part: "rest" },
    e2e: { part: "rest" },
  });
  expect(select(["--rest", "--only", "e2e"])).toMatchObject({ steps: ["e2e"], e2e: { part: "rest" } });
});

test("each file that is left to the rest is there, once", () => {
  const files = new Set(testFiles());
  expect(restFiles.filter((file) => !files.has(file))).toEqual([]);
  expect(new Set(restFiles).size).toBe(restFiles.length);
});

test("each folder of a feature names browser tests that are there", () => {
  const features = readdirSync(join(root, "src/features"), { withFileTypes: true });
  const folders = features.filter((entry) => entry.isDirectory()).map(({ name }) => `src/features/${name}`);
  expect(folders.filter((folder) => !(folder in specsByFolder))).toEqual([]);
  for (const [folder, names] of Object.entries(specsByFolder)) {
    expect(existsSync(join(root, folder)), folder).toBe(true);
    for (const name of names) expect(existsSync(join(root, "e2e", `${name}.spec.ts`)), `${folder}: ${name}`).toBe(true);
    expect(names.filter((name) => restFiles.includes(`e2e/${name}.spec.ts`))).toEqual([]);
  }
});

test("a change leads to the browser tests of its feature, of the main path where it is in none, and to those that changed", () => {
  expect(specsOfChange(["src/features/openapi/openapi-dialog.tsx"])).toEqual(["e2e/openapi.spec.ts"]);
  expect(specsOfChange(["src/state/document/autosave.ts"])).toEqual(["e2e/main-job.spec.ts"]);
  expect(specsOfChange(["e2e/runs.spec.ts", "src/state/document/autosave.test.ts", "docs/README.md"])).toEqual([
    "e2e/runs.spec.ts",
  ]);
});
