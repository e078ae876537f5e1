import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { isJsonObject, type JsonObject } from "../src/engine/json.ts";
import { type Bench, type BenchOptions, OptionsRefused, type Row } from "./measure.ts";
import { type ParityCase, parityCases } from "./parity-case.ts";

/** Characters of a difference that are printed. */
const longestReason = 400;
const goal = 90;
/** Items of nodes that only n8n has, by their types, such as those of its training data: `{ "type": [{…}] }`. */
const givenFile = "given.json";

async function givenIn(folder: string): Promise<JsonObject> {
  const text = await readFile(join(folder, givenFile), "utf8").catch(() => "{}");
  const given: unknown = JSON.parse(text);
  return isJsonObject(given) ? given : {};
}

async function textsIn(folder: string): Promise<{ file: string; text: string }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => undefined);
  if (!entries) throw new OptionsRefused(`There is no folder ${folder}.`);
  const found = entries.filter(({ name }) => name.endsWith(".json") && name !== givenFile);
  if (found.length === 0)
    throw new OptionsRefused(`${folder} holds no workflows: name a folder with n8n's JSON files.`);
  return Promise.all(
    found
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted()
      .map(async (path) => ({ file: relative(folder, path), text: await readFile(path, "utf8") })),
  );
}

function rowOf(name: string, cases: readonly ParityCase[]): Row {
  const value = (cases.filter(({ equal }) => equal).length / cases.length) * 100;
  return { name: `${name}, ${cases.length} nodes`, value, unit: "%", goal: `≥ ${goal} %`, met: value >= goal };
}

/** Whether imported nodes give the items that n8n's own tests pin to them. */
export const parityBench: Bench = {
  id: "parity",
  title: "Items of n8n's node tests (npm run bench -- --only parity -- --cases <folder>)",
  onlyWhenNamed: true,
  async run({ folder }: BenchOptions = {}) {
    if (folder === undefined) {
      throw new OptionsRefused(
        "Name a folder with n8n's workflow tests: npm run bench -- --only parity -- --cases <folder>. They are in packages/nodes-base/nodes/*/test of its repository.",
      );
    }
    const given = await givenIn(folder);
    const cases: ParityCase[] = [];
    for (const { file, text } of await textsIn(folder)) cases.push(...(await parityCases(file, text, given)));
    for (const { equal, file, node, reason } of cases) {
      if (!equal) console.error(`${file} · ${node}: ${reason.slice(0, longestReason)}`);
    }
    const types = [...new Set(cases.map(({ type }) => type))];
    return [
      rowOf("all", cases),
      ...types.map((type) =>
        rowOf(
          type,
          cases.filter((one) => one.type === type),
        ),
      ),
    ];
  },
};
