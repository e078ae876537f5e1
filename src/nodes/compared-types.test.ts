import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { nodeTypes } from "./index.ts";

/**
 * Where types are named: the nodes themselves, what translates from and to the formats of other programs, what says how programs use a workflow, and the script of
 * the demo model, which names them to the assistant's tools as a model does. `redis-memory` is also an edge function.
 */
const own =
  /^src\/(nodes\/|import\/|export\/|providers\/demo\/studio-tour\.ts|doors\/published-interface\.ts|state\/conversation\/storage\/redis-turns\.ts)/;

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : sourceFiles(path);
    return /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

it("nodes are asked what they are: nobody else compares their types by name", () => {
  // Short names mean other things as well, such as a credential of type "postgres".
  const types = nodeTypes.map(({ type }) => type).filter((type) => type.includes("-") || type === "guardrails");
  const compared = new RegExp(`[!=]== ["'\`](${types.join("|")})["'\`]`);
  const files = ["src", "supabase", "worker", "cli", "scripts"].flatMap(sourceFiles).filter((path) => !own.test(path));
  expect(files.length).toBeGreaterThan(500);
  expect(files.filter((path) => compared.test(readFileSync(path, "utf8")))).toEqual([]);
});
