import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod/mini";
import type { Json, JsonObject } from "../../src/engine/json.ts";
import { OptionsRefused } from "../measure.ts";

const json = z.json() as z.ZodMiniType<Json>;
const object = z.record(z.string(), json) as z.ZodMiniType<JsonObject>;
const call = z.object({ tool: z.string(), arguments: object, result: z.optional(json) });

const suiteSchema = z.object({
  suite: z.string(),
  tools: z.array(
    z.object({
      name: z.string(),
      description: z._default(z.string(), ""),
      inputSchema: object,
      effect: z.enum(["read", "write"]),
      resultByStrangers: z.boolean(),
      /** What it gives are the person's own records, though strangers may have written in them. */
      recordsOfPerson: z.optional(z.boolean()),
    }),
  ),
  userTasks: z.array(z.object({ id: z.string(), prompt: z.string(), calls: z.array(call) })),
  injectionTasks: z.array(z.object({ id: z.string(), goal: z.string(), calls: z.array(call) })),
});

/**
 * Tools, tasks with their right calls and recorded results, and injections with theirs. `effect` says which tools change something,
 * `resultByStrangers` whose texts they bring.
 */
export type Suite = z.infer<typeof suiteSchema>;
export type Task = Suite["userTasks"][number];
export type Injection = Suite["injectionTasks"][number];
export type Call = z.infer<typeof call>;

/** The suites of a folder. Throws OptionsRefused where there are none. */
export async function readSuites(folder: string): Promise<Suite[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".json"));
  if (names.length === 0) throw new OptionsRefused(`${folder} holds no suites (*.json).`);
  return Promise.all(
    names.map(async (name) => suiteSchema.parse(JSON.parse(await readFile(join(folder, name), "utf8")))),
  );
}
