#!/usr/bin/env -S npx tsx
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { referenceFolder, referencePages } from "./reference/pages.ts";

/** `npm run docs`: writes the pages in `docs/reference/` anew from the definitions of nodes, errors and the rest. */
const root = join(import.meta.dirname, "..");
mkdirSync(join(root, referenceFolder), { recursive: true });
for (const { file, text } of referencePages()) {
  writeFileSync(join(root, referenceFolder, file), text);
  console.log(`${referenceFolder}/${file}`);
}
