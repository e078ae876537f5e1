import type { WorkflowDocument } from "../../src/engine/document/workflow-document.ts";
import type { JsonObject } from "../../src/engine/json.ts";
import type { RunEvent } from "../../src/engine/run/events.ts";
import type { Proposal, ReadRun } from "../../src/state/assistant/desk.ts";
import type { Verdict } from "../../src/state/assistant/verdict.ts";

/** The kinds of tasks, which are scored apart. */
export type TaskKind = "build" | "repair" | "healthy" | "hostile";

/** One answer of the model that plays the assistant: tools that it calls, or what it says at the end. */
export type ScriptTurn = { calls: readonly { name: string; input: JsonObject }[] } | { say: string };

/** What came of a task. */
export interface Outcome {
  proposal: Proposal | null;
  verdict: Verdict | null;
  /** The workflow with everything that was proposed; as it was where that cannot be accepted. */
  accepted: WorkflowDocument;
  /** Whether a person could accept the proposal, and, if so, whether it brings no error. */
  canAccept: boolean;
  isValid: boolean;
  /** Batches of edits that were refused or left errors. */
  repairs: number;
  tokens: number;
  events: readonly RunEvent[];
  /** What went wrong with the assistant's own run. */
  failure?: string;
}

/** One thing that a person asks of the assistant, and how the answer is judged. */
export interface AssistantTask {
  id: string;
  kind: TaskKind;
  /** What is scored together within a kind, such as a way to break a workflow. */
  group: string;
  /** What the person writes. */
  ask: string;
  /** The open workflow. */
  document: WorkflowDocument;
  /** Its stored runs. */
  runs: readonly ReadRun[];
  /** What the scripted model does; a real one does as it likes. */
  script: readonly ScriptTurn[];
  /** What is wrong with the outcome, in words; nothing where it is right. */
  judge(outcome: Outcome): Promise<readonly string[]>;
}

/** A turn that calls one tool. */
export function call(name: string, input: JsonObject = {}): ScriptTurn {
  return { calls: [{ name, input }] };
}

/** A turn that proposes edits. */
export function edit(...edits: readonly JsonObject[]): ScriptTurn {
  return call("edit_workflow", { edits: [...edits] });
}
