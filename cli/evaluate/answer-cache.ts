import { appendFile, mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod/mini";
import type { AnswerCache } from "../../src/evaluation/judge/judge.ts";
import type { Json } from "../../src/engine/json.ts";

const entrySchema = z.object({ key: z.string(), value: z.json() });

/** Answers in a file, one a line, or in this process alone; new ones are written where `writes` says so. */
export async function openAnswerCache(path: string | undefined, writes: boolean): Promise<AnswerCache> {
  const answers = new Map<string, Json>();
  const text = path === undefined ? "" : await readFile(path, "utf8").catch(() => "");
  for (const line of text.split("\n")) {
    try {
      const { key, value } = entrySchema.parse(JSON.parse(line));
      answers.set(key, value);
    } catch {
      // An empty line, or one that is none of ours.
    }
  }
  return {
    get: (key) => answers.get(key),
    async set(key, value) {
      answers.set(key, value);
      if (path === undefined || !writes) return;
      await mkdir(dirname(path), { recursive: true });
      await appendFile(path, `${JSON.stringify({ key, value })}\n`);
    },
  };
}
