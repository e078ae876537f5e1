import { appendFile, mkdir, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod/mini";
import type { PrivacySettings } from "../../src/engine/document/workflow-document.ts";
import { cassetteOf, runsInCassette } from "../../src/evaluation/run/cassette.ts";
import type { EvaluationCase } from "../../src/evaluation/suite/evaluation-case.ts";
import { isJsonObject } from "../../src/engine/json.ts";
import type { RunEvent } from "../../src/engine/run/events.ts";
import { type Recording, recordingOf } from "../../src/engine/run/replay/recording.ts";
import { CommandFailure } from "../headless/command-failure.ts";

/** Events were written by this studio; that they are envelopes is all that can be checked without stating each again. */
const recordedEvent = z.custom<RunEvent>(
  (value) =>
    isJsonObject(value) &&
    typeof value.type === "string" &&
    typeof value.seq === "number" &&
    typeof value.runId === "string",
);

/** The runs in a cassette, in the order in which they began there; none where there is no file. Throws CommandFailure. */
export async function readCassette(path: string): Promise<Recording[]> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(`The cassette ${path} cannot be read: ${reason}`, "Check the path and its rights.");
  }
  const events: RunEvent[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const event = recordedEvent.safeParse(parsed(line));
    if (!event.success) {
      const hint = "Record the case again, or give the lines that --events of npm run workflow printed.";
      throw new CommandFailure(`Line ${index + 1} of the cassette ${path} is no event of a run.`, hint, 2);
    }
    events.push(event.data);
  }
  return runsInCassette(events).map((run) => recordingOf(run));
}

/** Cases, and where their recordings stand. */
interface CassettePlaces {
  cases: readonly EvaluationCase[];
  cassetteOf(evaluationCase: EvaluationCase): string | undefined;
}

/**
 * Where a case is recorded anew. One that begins at a call needs its old recording until all trials are made, so the new one stands
 * beside it until `keepRecorded`.
 */
export function recordingPath({ start }: EvaluationCase, path: string): string {
  return start?.call === undefined ? path : `${path}.new`;
}

/** Removes the cassettes of cases that are recorded anew. */
export async function clearCassettes({ cases, cassetteOf }: CassettePlaces): Promise<void> {
  for (const evaluationCase of cases) {
    const path = cassetteOf(evaluationCase);
    if (path === undefined) {
      const hint = 'Give the suite "cassettes": "cassettes", the folder for them.';
      throw new CommandFailure(`--record has no place for the runs of "${evaluationCase.id}".`, hint, 2);
    }
    await rm(recordingPath(evaluationCase, path), { force: true });
  }
}

/** Puts new recordings that stand beside the old ones in their place. */
export async function keepRecorded({ cases, cassetteOf }: CassettePlaces): Promise<void> {
  for (const evaluationCase of cases) {
    const path = cassetteOf(evaluationCase);
    const recorded = path === undefined ? undefined : recordingPath(evaluationCase, path);
    if (path === undefined || recorded === undefined || recorded === path) continue;
    await rename(recorded, path).catch((error: unknown) => {
      // No trial counted, so there is none.
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    });
  }
}

/** Adds the runs of a trial to a cassette. */
export async function addToCassette(
  path: string,
  runs: readonly (readonly RunEvent[])[],
  privacy: PrivacySettings | undefined,
): Promise<void> {
  const lines = cassetteOf(runs, privacy).map((event) => `${JSON.stringify(event)}\n`);
  await mkdir(dirname(path), { recursive: true });
  await appendFile(path, lines.join(""));
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
