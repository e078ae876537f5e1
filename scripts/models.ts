#!/usr/bin/env -S npx tsx
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ModelList } from "../src/engine/models/listed-model.ts";
import { changeLine, priceChanges } from "../src/engine/models/price-changes.ts";
import { readSource } from "./models/source-models.ts";
import { listIds, toListedModels } from "../src/engine/models/to-listed-models.ts";

const usage = `npm run models -- <folder | api.json> [<date>]
  Writes src/engine/models/models-dev.json from a copy of models.dev (github.com/anomalyco/models.dev, MIT):
  the folder of its repository, or the file behind models.dev/api.json. <date>: the day of the copy, today if absent.
  Says what changes. A price that would fall to 0 is refused: enter its price in
  src/engine/models/newer-models.ts, where what models.dev does not know yet stands too.`;

const file = join(import.meta.dirname, "..", "src/engine/models/models-dev.json");
const [path, date = new Date().toISOString().slice(0, 10)] = process.argv.slice(2);

if (path === undefined || path.startsWith("-") || !/^\d{4}-\d\d-\d\d$/.test(date)) {
  console.error(usage);
  process.exitCode = path === "--help" ? 0 : 2;
} else write(path);

function write(source: string): void {
  try {
    const before: { lists: Record<string, ModelList> } = JSON.parse(readFileSync(file, "utf8"));
    const lists = toListedModels(readSource(source, Object.keys(listIds)));
    const empty = Object.keys(lists).filter((list) => Object.keys(lists[list] ?? {}).length === 0);
    if (empty.length > 0) throw new Error(`No models of ${empty.join(", ")} were found in ${source}.`);
    const changes = priceChanges(before.lists, lists);
    const free = changes.filter(({ kind }) => kind === "refused").map(({ list, name }) => `${list} ${name}`);
    if (free.length > 0) throw new Error(`Nothing was written: a price of these would fall to 0: ${free.join(", ")}.`);
    console.log(changes.map(changeLine).join("\n"));
    writeFileSync(file, fileText(lists));
    const count = Object.values(lists).reduce((sum, models) => sum + Object.keys(models).length, 0);
    console.log(`${count} models of ${Object.keys(lists).length} lists are written.`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}

/** A line for each model, so that changes are read easily. */
function fileText(lists: ReturnType<typeof toListedModels>): string {
  const head = {
    asOf: date,
    source: "https://github.com/anomalyco/models.dev",
    licence: "MIT, Copyright (c) 2025 models.dev",
  };
  const members = Object.entries(head).map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  const texts = Object.entries(lists).map(([list, models]) => {
    const lines = Object.entries(models).map(
      ([name, model]) => `      ${JSON.stringify(name)}: ${JSON.stringify(model)}`,
    );
    return `    ${JSON.stringify(list)}: {\n${lines.join(",\n")}\n    }`;
  });
  return `{\n${members.join(",\n")},\n  "lists": {\n${texts.join(",\n")}\n  }\n}\n`;
}
