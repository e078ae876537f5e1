import { messageText } from "../../engine/model/message.ts";
import type { NoteStep, RunState, RunStep } from "../../engine/run/run-state.ts";

/** One line of the Steps tab. */
export type StepRow =
  | { kind: "run"; id: string; depth: 0 }
  | {
      kind: "iteration";
      id: string;
      depth: number;
      nodeId: string;
      iteration: number;
      round: number;
      startedAt: number;
    }
  | { kind: "step"; id: string; depth: number; step: RunStep };

/** The row that stands for the run as a whole. */
export const runRowId = "run";

/**
 * The steps of a run as lines: the run itself first, the calls of one iteration under a line of their own, what happened
 * inside a tool call (an agent as tool) below that call. Steps of parallel branches keep to their own iteration.
 */
export function stepRows(run: RunState): StepRow[] {
  const groups = new Map<string, Group>();
  const inside = new Map<string, Group>();
  const root: Group = { header: null, children: [] };
  for (const step of run.steps) {
    const parent = step.parentCallId === undefined ? root : groupFor(inside, step.parentCallId);
    const place = iterationOf(step);
    if (place === null) parent.children.push(step);
    else iterationGroup(groups, parent, step, place).children.push(step);
  }
  const rows: StepRow[] = [{ kind: "run", id: runRowId, depth: 0 }];
  addRows(rows, root, 0, inside);
  return rows;
}

interface Group {
  header: Extract<StepRow, { kind: "iteration" }> | null;
  children: (RunStep | Group)[];
}

function groupFor(groups: Map<string, Group>, key: string): Group {
  const known = groups.get(key);
  if (known) return known;
  const group: Group = { header: null, children: [] };
  groups.set(key, group);
  return group;
}

function iterationGroup(
  groups: Map<string, Group>,
  parent: Group,
  step: RunStep,
  { iteration, round }: { iteration: number; round: number },
): Group {
  const nodeId = step.nodeId ?? "";
  const key = `${step.parentCallId ?? ""} ${step.item ?? ""} ${nodeId} ${round} ${iteration}`;
  const known = groups.get(key);
  if (known) return known;
  const id = `iteration ${key}`;
  const group: Group = {
    header: { kind: "iteration", id, depth: 0, nodeId, iteration, round, startedAt: step.startedAt },
    children: [],
  };
  groups.set(key, group);
  parent.children.push(group);
  return group;
}

function iterationOf(step: RunStep): { iteration: number; round: number } | null {
  if (step.kind === "model") return { iteration: step.request.iteration, round: step.round };
  if (step.kind === "tool") return { iteration: step.iteration, round: step.round };
  return null;
}

function addRows(rows: StepRow[], group: Group, depth: number, inside: ReadonlyMap<string, Group>): void {
  if (group.header) rows.push({ ...group.header, depth });
  const childDepth = group.header ? depth + 1 : depth;
  for (const child of group.children) {
    if ("children" in child) addRows(rows, child, childDepth, inside);
    else {
      if (isQuiet(child)) continue;
      rows.push({ kind: "step", id: child.id, depth: childDepth, step: child });
      const nested = child.kind === "tool" ? inside.get(child.start.callId) : undefined;
      if (nested) addRows(rows, nested, childDepth + 1, inside);
    }
  }
}

/** The end of an iteration says nothing that its steps do not, unless the agent stopped there for a reason of its own. */
function isQuiet(step: RunStep): step is NoteStep {
  if (step.kind !== "note" || step.event.type !== "iteration-end") return false;
  return step.event.finish === undefined || step.event.finish === "completed";
}

/** How long a step took, in milliseconds; null while it goes on and for steps without a length. */
export function stepDuration(step: RunStep): number | null {
  if (step.kind === "model") return step.response?.durationMs ?? null;
  if (step.kind === "tool") return step.end?.durationMs ?? null;
  return "durationMs" in step.event ? step.event.durationMs : null;
}

/** The first words of what a step brought, for its line. */
export function stepPreview(step: RunStep): string {
  if (step.kind === "tool") return preview(step.end ? step.end.text : JSON.stringify(step.start.input));
  if (step.kind === "note") return "";
  const text = step.response ? messageText(step.response.message) : step.text;
  return preview(text);
}

function preview(text: string): string {
  return text.slice(0, 160).replaceAll(/\s+/g, " ").trim();
}
