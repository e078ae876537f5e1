import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { loadedLate } from "./loaded-late.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Pages; and nodes and providers, which load what only some hosts run. */
const apart = /^src\/(app\/app\.tsx|nodes\/|providers\/|ui\/overlays\/)/;

/** How many imports of a module a file makes while it runs. */
const importsIn = (text: string) => text.match(/(?<![.]|typeof |: |`load: \(\) => )\bimport\("/g)?.length ?? 0;

test("what is loaded late is listed with its weight", () => {
  const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .map((file) => `src/${file.replaceAll("\\", "/")}`)
    .filter((file) => /\.tsx?$/.test(file) && !file.includes(".test.") && !apart.test(file));
  const counts = files.map((file): [string, number] => [file, importsIn(readFileSync(join(root, file), "utf8"))]);
  const found = Object.fromEntries(counts.filter(([, count]) => count > 0));
  const listed = Object.entries(loadedLate).map(([file, parts]): [string, number] => [file, parts.length]);
  expect(found).toEqual(Object.fromEntries(listed));
});
