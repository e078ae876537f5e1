import { readFile, writeFile } from "node:fs/promises";
import { z } from "zod/mini";
import type { WorkflowDocument } from "../../src/engine/document/workflow-document.ts";
import { isJsonObject } from "../../src/engine/json.ts";
import type { RunEvent } from "../../src/engine/run/events.ts";
import { toOtlp } from "../../src/engine/run/export/otel.ts";
import { callStart } from "../../src/engine/run/replay/fork-point.ts";
import { recordingOf } from "../../src/engine/run/replay/recording.ts";
import type { ReplayOptions } from "../../src/engine/run/replay/replay-options.ts";
import { CommandFailure } from "./command-failure.ts";
import { userPath } from "./read-file.ts";

/** Events were written by this studio; that they are envelopes is all that can be checked without stating each again. */
const recordedEvent = z.custom<RunEvent>(
  (value) => isJsonObject(value) && typeof value.type === "string" && typeof value.seq === "number",
);

/**
 * Reads what `--events` printed, one event a line, to be served again; `until` is the call to leave it at. Throws
 * CommandFailure when the file cannot be read, is something else, or has no such call.
 */
export async function readRecording(path: string, until: string | undefined): Promise<ReplayOptions> {
  const full = userPath(path);
  const content = await readFile(full, "utf8").catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(`The recording ${full} cannot be read: ${reason}`, "Check the path.");
  });
  const events: RunEvent[] = [];
  for (const [index, line] of content.split("\n").entries()) {
    if (line.trim() === "") continue;
    const event = recordedEvent.safeParse(parsed(line));
    if (!event.success) {
      const hint = "Give the lines that --events printed, as they are.";
      throw new CommandFailure(`Line ${index + 1} of the recording ${full} is no event of a run.`, hint);
    }
    events.push(event.data);
  }
  const recording = recordingOf(events);
  if (until !== undefined && callStart(recording, until) === undefined) {
    const hint = "Take the callId of a model-request or a tool-call-start of the recording.";
    throw new CommandFailure(`The recording has no call "${until}".`, hint, 2);
  }
  return { recording, ...(until === undefined ? {} : { until }) };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Writes a run as OTLP JSON traces. Throws CommandFailure when the file cannot be written. */
export async function writeTraces(
  path: string,
  events: readonly RunEvent[],
  document: WorkflowDocument,
  content: boolean,
): Promise<void> {
  const full = userPath(path);
  const traces = toOtlp(events, { content, titleOf: (nodeId) => document.nodes[nodeId]?.title });
  await writeFile(full, `${JSON.stringify(traces)}\n`).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(`The traces could not be written to ${full}: ${reason}`, "Check the path and its rights.");
  });
}
