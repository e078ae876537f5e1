import { addUsage } from "../model/usage.ts";
import type { Usage } from "../model/chat-model.ts";
import type { RunEvent } from "./events.ts";
import type { EdgeFlow, ModelStep, NodeRunState, RunState, RunStep, ToolStep } from "./run-state.ts";

/** A node that nothing has happened to yet. */
const idleNode: NodeRunState = { status: "waiting", active: 0, text: "", uses: 0 };

/**
 * A run state under change. Each part is copied at its first change and shared otherwise, so that a batch of events
 * costs one copy per touched part and untouched nodes and steps keep their identity.
 */
export class RunDraft {
  readonly state: RunState;
  private readonly owned = new Set<object>();

  constructor(state: RunState) {
    this.state = { ...state };
  }

  /** The node's record, writable; made when it is new. */
  node(id: string): NodeRunState {
    const nodes = this.own("nodes");
    const known = Object.hasOwn(nodes, id) ? nodes[id] : undefined;
    if (known && this.owned.has(known)) return known;
    const copy = { ...(known ?? idleNode) };
    this.owned.add(copy);
    nodes[id] = copy;
    return copy;
  }

  addStep(step: RunStep): void {
    this.owned.add(step);
    this.own("steps").push(step);
  }

  /** The model call's step, writable. Steps under way stand near the end, so the search starts there. */
  modelStep(callId: string): ModelStep | undefined {
    const index = this.indexOf(callId, "model");
    const step = this.state.steps[index];
    return step?.kind === "model" ? this.ownStep(index, step) : undefined;
  }

  /** The tool call's step, writable. */
  toolStep(callId: string): ToolStep | undefined {
    const index = this.indexOf(callId, "tool");
    const step = this.state.steps[index];
    return step?.kind === "tool" ? this.ownStep(index, step) : undefined;
  }

  addLog(line: RunState["logs"][number]): void {
    this.own("logs").push(line);
  }

  /** A file of a workspace, in the place of an earlier version. Calls that ran side by side may be served in another order. */
  addWorkspaceFile(file: RunState["workspaceFiles"][string]): void {
    const key = `${file.nodeId}\n${file.path}`;
    if ((this.state.workspaceFiles[key]?.version ?? 0) <= file.version) this.own("workspaceFiles")[key] = file;
  }

  /** Something begins to travel over an edge. */
  enterEdge(edgeId: string, flow: EdgeFlow): void {
    const uses = this.own("edgeUses");
    uses[edgeId] = (uses[edgeId] ?? 0) + 1;
    this.own("activeEdges")[edgeId] = flow;
    this.useEdge(edgeId);
  }

  /** It has come back. The edge stays active while other uses are under way. */
  leaveEdge(edgeId: string): void {
    const uses = this.own("edgeUses");
    const left = (uses[edgeId] ?? 0) - 1;
    if (left > 0) {
      uses[edgeId] = left;
      return;
    }
    delete uses[edgeId];
    delete this.own("activeEdges")[edgeId];
  }

  useEdge(edgeId: string): void {
    if (!Object.hasOwn(this.state.usedEdges, edgeId)) this.own("usedEdges")[edgeId] = true;
  }

  private indexOf(id: string, kind: RunStep["kind"]): number {
    const { steps } = this.state;
    for (let index = steps.length - 1; index >= 0; index -= 1) {
      const step = steps[index];
      if (step?.id === id && step.kind === kind) return index;
    }
    return -1;
  }

  private ownStep<Step extends ModelStep | ToolStep>(index: number, step: Step): Step {
    if (this.owned.has(step)) return step;
    const copy = { ...step };
    this.owned.add(copy);
    this.own("steps")[index] = copy;
    return copy;
  }

  private own<Part extends OwnPart>(part: Part): RunState[Part] {
    const { state } = this;
    if (!this.owned.has(state[part])) {
      copyPart(state, part);
      this.owned.add(state[part]);
    }
    return state[part];
  }
}

/** The parts that are lists or records. */
type OwnPart = "nodes" | "steps" | "logs" | "activeEdges" | "edgeUses" | "usedEdges" | "workspaceFiles";

function copyPart(state: RunState, part: OwnPart): void {
  switch (part) {
    case "nodes":
      state.nodes = { ...state.nodes };
      return;
    case "steps":
      state.steps = state.steps.slice();
      return;
    case "logs":
      state.logs = state.logs.slice();
      return;
    case "activeEdges":
      state.activeEdges = { ...state.activeEdges };
      return;
    case "edgeUses":
      state.edgeUses = { ...state.edgeUses };
      return;
    case "usedEdges":
      state.usedEdges = { ...state.usedEdges };
      return;
    case "workspaceFiles":
      state.workspaceFiles = { ...state.workspaceFiles };
  }
}

/** What a step keeps of its event's envelope. */
export function stepPlace(event: RunEvent): {
  parentCallId?: string;
  item?: number;
  replayed?: true;
  startedAt: number;
} {
  return {
    ...(event.replayed ? { replayed: true as const } : {}),
    ...(event.parentCallId === undefined ? {} : { parentCallId: event.parentCallId }),
    ...(event.item === undefined ? {} : { item: event.item }),
    startedAt: event.at,
  };
}

/** Two counts of tokens as one. */
export function sumUsage(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  return a && b ? addUsage(a, b) : (a ?? b);
}
