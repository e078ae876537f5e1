import { createHash } from "node:crypto";
import { appendFile, readFile, rm, writeFile } from "node:fs/promises";
import { z } from "zod/mini";
import { digestText } from "../../src/evaluation/run/digest-text.ts";
import { type TrialResult, trialResultSchema } from "../../src/evaluation/run/trial-result.ts";
import type { JsonObject } from "../../src/engine/json.ts";
import { CommandFailure } from "../headless/command-failure.ts";
import type { SuiteFiles } from "./suite-files.ts";

const headSchema = z.object({ format: z.literal("switchyard-trials"), version: z.literal(1), of: z.string() });

/** The finished trials of an evaluation under way, one a line, so that nothing finished is lost with its process. */
export interface Journal {
  /** What an earlier process finished. */
  done: TrialResult[];
  /** Resolves once the line is written. */
  add(result: TrialResult): Promise<void>;
  /** Takes the file away: the result has it all. */
  remove(): Promise<void>;
}

/** Names what is tried: trials of the same may stand in one journal. */
export function evaluationDigest({ suite, cases, document }: SuiteFiles, vars: JsonObject): string {
  return createHash("sha256")
    .update(digestText(suite, cases, document, vars))
    .digest("hex");
}

/** Opens the journal; that of another evaluation, or any with `fresh`, is begun anew. Throws CommandFailure. */
export async function openJournal(path: string, of: string, fresh: boolean): Promise<Journal> {
  const known = fresh ? undefined : await readJournal(path, of);
  try {
    const head = JSON.stringify({ format: "switchyard-trials", version: 1, of });
    // Written anew as a whole, so that a line torn by a crash is gone.
    const lines = [head, ...(known ?? []).map((result) => JSON.stringify(result))];
    await writeFile(path, `${lines.join("\n")}\n`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(`Finished trials cannot be kept in ${path}: ${reason}`, "Name a place with --out.");
  }
  return {
    done: known ?? [],
    add: (result) => appendFile(path, `${JSON.stringify(result)}\n`),
    remove: () => rm(path, { force: true }),
  };
}

async function readJournal(path: string, of: string): Promise<TrialResult[] | undefined> {
  const text = await readFile(path, "utf8").catch(() => "");
  const [head = "", ...lines] = text.split("\n");
  const read = headSchema.safeParse(parsed(head));
  if (!read.success || read.data.of !== of) return undefined;
  return lines.flatMap((line) => {
    const result = trialResultSchema.safeParse(parsed(line));
    return result.success ? [result.data] : [];
  });
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
