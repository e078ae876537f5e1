import { formatMoment } from "../../ui/text/format-moment.ts";
import {
  type NodeRunState,
  type NodeStatus,
  type NoteStep,
  type RunStatus,
  type RunStep,
  toolOutcome,
} from "../../engine/run/run-state.ts";
import { finishMessage } from "../../state/run/finish-message.ts";
import { repeatText } from "../../state/run/repeat-text.ts";
import { wasStopped } from "../../state/run/was-stopped.ts";
import type { IconName } from "../../ui/icons/icon.tsx";
import { memoryText } from "./memory-text.ts";
import { compactionText } from "./compaction-text.ts";
import { transcriptionText } from "./transcription-text.ts";

/** `cut`: the run was over before the step was. */
export type StepState = "running" | "done" | "failed" | "rejected" | "waiting" | "cut" | "noted";

/** How a step looks and what it is called. */
interface StepLook {
  icon: IconName;
  /** Text colour of the icon. */
  tint: string;
  title: string;
  state: StepState;
}

const nodeStates: Record<NodeStatus, StepState> = {
  waiting: "noted",
  running: "running",
  approval: "waiting",
  paused: "waiting",
  done: "done",
  rejected: "rejected",
  failed: "failed",
  skipped: "noted",
};

/** How a node of the main flow stands. */
export function nodeState(node: NodeRunState, runStatus: RunStatus): StepState {
  const unfinished = runStatus !== "running" && (node.status === "running" || node.status === "approval");
  return unfinished || wasStopped(node) ? "cut" : nodeStates[node.status];
}

export function stepLook(step: RunStep, runStatus: RunStatus): StepLook {
  const look = lookOf(step);
  const unfinished = look.state === "running" || look.state === "waiting";
  return unfinished && runStatus !== "running" ? { ...look, state: "cut" } : look;
}

function lookOf(step: RunStep): StepLook {
  switch (step.kind) {
    case "model":
      return {
        icon: "sparkles",
        tint: "text-role-model",
        title: `${purposes[step.request.purpose]} · ${step.request.model}`,
        state: modelState(step),
      };
    case "tool":
      return { icon: "wrench", tint: "text-role-tool", title: step.start.toolName, state: toolState(step) };
    case "note":
      return noteLook(step);
    default:
      return step satisfies never;
  }
}

const purposes = {
  answer: "Model call",
  plan: "Plan",
  reflection: "Review",
  summary: "Summary",
  repair: "Format repair",
  final: "Final answer",
  check: "Check",
  extract: "Values read",
  compaction: "Compaction",
} as const;

function modelState({ response, brokenOff }: Extract<RunStep, { kind: "model" }>): StepState {
  if (response) return response.error === undefined ? "done" : "failed";
  return brokenOff ? "cut" : "running";
}

function toolState(step: Extract<RunStep, { kind: "tool" }>): StepState {
  const outcome = toolOutcome(step);
  if (outcome) return outcome;
  return step.approval?.state === "waiting" || step.forms?.some(({ end }) => end === undefined) ? "waiting" : "running";
}

function noteLook({ event }: NoteStep): StepLook {
  switch (event.type) {
    case "node-error":
      return { icon: "circle-x", tint: "text-danger", title: event.error.message, state: "failed" };
    case "node-skip":
      return { icon: "minus", tint: "text-faint", title: `Skipped: ${event.reason}`, state: "noted" };
    case "memory-load":
    case "memory-save":
      return { icon: "database", tint: "text-role-memory", title: memoryText(event), state: "done" };
    case "memory-error":
      return { icon: "database", tint: "text-danger", title: event.error.message, state: "failed" };
    case "embedding":
      return { icon: "waypoints", tint: "text-role-model", title: `Embedded with ${event.model}`, state: "done" };
    case "rerank":
      return { icon: "list", tint: "text-role-model", title: `Reranked with ${event.model}`, state: "done" };
    case "transcription":
      return { icon: "audio-lines", tint: "text-role-flow", title: transcriptionText(event), state: "done" };
    case "plan":
      return { icon: "list", tint: "text-muted", title: "Plan", state: "noted" };
    case "reflection":
      return { icon: "lightbulb", tint: "text-muted", title: "Review", state: "noted" };
    case "compaction":
      return { icon: "layers", tint: "text-muted", title: compactionText(event), state: "noted" };
    case "retry": {
      const title = `Retry ${event.attempt} of ${event.maxAttempts}: ${event.error.message}`;
      return { icon: "refresh-cw", tint: "text-warning", title, state: "noted" };
    }
    case "warning":
      return { icon: "triangle-alert", tint: "text-warning", title: event.message, state: "noted" };
    case "wait-start":
      return {
        icon: "hourglass",
        tint: "text-muted",
        title: `Waits until ${formatMoment(event.until)}`,
        state: "noted",
      };
    case "write-start":
      return { icon: "triangle-alert", tint: "text-warning", title: repeatText(event), state: "noted" };
    case "run-resume": {
      const title = `Resumed, attempt ${event.attempt}`;
      return { icon: "refresh-cw", tint: "text-muted", title, state: "noted" };
    }
    case "iteration-end":
      return {
        icon: "flag",
        tint: event.finish === "completed" ? "text-muted" : "text-warning",
        title: event.ending?.message ?? finishMessage(event.finish),
        state: "noted",
      };
    default:
      return event satisfies never;
  }
}
