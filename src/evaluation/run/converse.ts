import type { ScratchSessions } from "../../engine/memory/scratch-memory.ts";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Host } from "../../engine/host.ts";
import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";
import type { RunEvent } from "../../engine/run/events.ts";
import type { Recording } from "../../engine/run/replay/recording.ts";
import type { ReplayOptions } from "../../engine/run/replay/replay-options.ts";
import { runWorkflow } from "../../engine/run/run-workflow.ts";
import type { EvaluationCase } from "../suite/evaluation-case.ts";
import { type SimulatedUser, type Turn, turnOf } from "./conversation.ts";

/** What a conversation needs. */
export interface ConverseOptions {
  evaluationCase: Pick<EvaluationCase, "input" | "turns" | "user" | "start" | "untrusted" | "files">;
  /** The node of the case's step, where it has one: the run begins and ends with it. */
  stepId?: string | undefined;
  document: WorkflowDocument;
  registry: NodeRegistry;
  host: Host;
  vars?: JsonObject | undefined;
  /** The recorded runs of the conversation, in order; none where nothing is served. */
  recordings: readonly Recording[];
  /** How runs are served; the recording is that of the turn. */
  replay: Omit<ReplayOptions, "recording">;
  /** Speaks for a case's `user`; not asked for what a recording holds. */
  simulatedUser?: SimulatedUser | undefined;
  signal: AbortSignal;
  redact?: ((text: string) => string) | undefined;
}

/**
 * Runs a case's first input and what is said after it, each as a run of its own with the conversation so far. Ends early when a run
 * does not complete. Gives the events of each run; conversations of the studio are not changed. Rejects only when the simulated
 * user fails.
 */
export async function converse(options: ConverseOptions): Promise<RunEvent[][]> {
  const { evaluationCase, recordings, signal } = options;
  const scratch: ScratchSessions = new Map();
  const runs: RunEvent[][] = [];
  const turns: Turn[] = [];
  let input: Json | undefined = options.stepId === undefined ? firstInput(evaluationCase.input) : evaluationCase.input;
  while (input !== undefined) {
    const events = await runOnce(options, { input, scratch, recording: recordings[runs.length] });
    runs.push(events);
    const end = events.findLast((event) => event.type === "run-end");
    if (signal.aborted || end?.outcome !== "completed") break;
    turns.push(turnOf(events));
    const message = await nextMessage(options, turns, recordings[runs.length]);
    input = message === undefined ? undefined : { ...sessionOf(evaluationCase.input), message };
  }
  return runs;
}

async function runOnce(
  { document, registry, host, vars, replay, signal, redact, stepId, evaluationCase }: ConverseOptions,
  turn: { input: Json; scratch: ScratchSessions; recording: Recording | undefined },
): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  const run = runWorkflow(document, {
    registry,
    host,
    input: turn.input,
    signal,
    replay: { ...replay, recording: turn.recording ?? { runId: "", events: [] } },
    scratch: turn.scratch,
    ignorePins: true,
    untrusted: evaluationCase.untrusted ?? [],
    ...(evaluationCase.files ? { files: evaluationCase.files } : {}),
    ...(stepId === undefined
      ? {}
      : { startNodeId: stepId, stopAfterNodeId: stepId, pinned: evaluationCase.start?.outputs ?? {} }),
    ...(vars ? { vars } : {}),
    ...(redact ? { redact } : {}),
  });
  for await (const event of run) events.push(event);
  return events;
}

/** What is said next; undefined at the end of the conversation. */
async function nextMessage(
  { evaluationCase: { turns, user }, simulatedUser, recordings, signal }: ConverseOptions,
  so: readonly Turn[],
  recording: Recording | undefined,
): Promise<string | undefined> {
  if (turns) return turns[so.length - 1];
  if (!user || so.length > user.maxTurns) return undefined;
  // What the user said in the recording is part of it, and so is where the conversation ended.
  if (recordings.length > 0) return recording && messageOf(recording);
  return simulatedUser?.({ goal: user.goal, turns: so, signal });
}

function messageOf({ events }: Recording): string | undefined {
  const { input } = events.find((event) => event.type === "run-start") ?? { input: null };
  return isJsonObject(input) && typeof input.message === "string" ? input.message : undefined;
}

/** A text is what somebody writes in a chat. */
function firstInput(input: Json): Json {
  return typeof input === "string" ? { message: input } : input;
}

/** Everything of the first input but its message goes along, such as the session and the person's name. */
function sessionOf(input: Json): JsonObject {
  if (!isJsonObject(input)) return {};
  const { message: _message, files: _files, images: _images, ...rest } = input;
  return rest;
}
