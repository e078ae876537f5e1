import type { AskedTool } from "./agent-replay.ts";
import { canonicalJson } from "../../canonical-json.ts";
import type { EventOf, RunEvent } from "../events.ts";
import type { EventStamp } from "../run-log.ts";
import { holdsRounded, roundedKey } from "./rounded-integers.ts";

/** How often something began to change the outside. */
export interface BegunWrite {
  times: number;
  /** The last time was in the run that this one was forked from. */
  elsewhere: boolean;
}

/** What a fork's log says first of a write that its recording had begun, so that a resumption of the fork knows of it, too. */
export function begunElsewhere(times: number): { again?: number } {
  return times > 1 ? { again: times - 1 } : {};
}

/** One recorded use of a node of the main flow. */
export interface NodeRecord {
  start: EventOf<"node-start">;
  /** Absent when the recording broke off before. */
  end?: EventOf<"node-end"> | EventOf<"node-error">;
  begun: BegunWrite;
  loop: LoopRecord;
}

/** A recorded model call. */
export interface ModelRecord {
  request: EventOf<"model-request">;
  reasoning: string;
  response?: EventOf<"model-response">;
}

/** A recorded tool call. */
export interface ToolRecord {
  start: EventOf<"tool-call-start">;
  /** How many model calls of its loop came before. */
  turn: number;
  begun: BegunWrite;
  approvals: (EventOf<"approval-wait"> | EventOf<"approval-end">)[];
  shown?: EventOf<"tool-app">;
  /** What happened inside it, in order, however deep. */
  inner: RunEvent[];
  end?: EventOf<"tool-call-end">;
}

/** What one execution of the agent loop did. */
export interface LoopRecord {
  models: ModelRecord[];
  tools: ToolRecord[];
  memory: (EventOf<"memory-load"> | EventOf<"memory-save">)[];
  /** Each with how many model calls came before. */
  compactions: { event: EventOf<"compaction">; turn: number }[];
}

/** A recording sorted by who did what; made once per replay. */
export interface RecordedRun {
  /** Uses of a node by `placeKey`, in the order in which they began. */
  nodes: ReadonlyMap<string, readonly NodeRecord[]>;
  /** Loops that ran inside a tool call, by `placeKey`. */
  innerLoops: ReadonlyMap<string, LoopRecord>;
  tools: ReadonlyMap<string, ToolRecord>;
  /** Turns and items of branches that began, by `turnsKey`. */
  turns: ReadonlyMap<string, readonly { seq: number; item: number }[]>;
  events: readonly RunEvent[];
}

/** For which item of which for-each, however deep, something happened. */
export type ItemPlace = Pick<EventStamp, "item" | "outerItems">;

/** Where something happened: at which node, for which item, inside which call. */
export function placeKey(nodeId: string, { item, outerItems }: ItemPlace, parentCallId?: string): string {
  return JSON.stringify([nodeId, item ?? null, parentCallId ?? null, ...(outerItems ?? [])]);
}

/** A way into a branch, inside of these items of the branches around it. */
export function turnsKey(edgeId: string, around: readonly number[]): string {
  return JSON.stringify([edgeId, ...around]);
}

/** What is recorded for a place; events of older runs do not say in which item around theirs they happened. */
export function atPlace<Value>(
  recorded: ReadonlyMap<string, Value>,
  nodeId: string,
  place: ItemPlace,
  parentCallId?: string,
): Value | undefined {
  const { item } = place;
  return (
    recorded.get(placeKey(nodeId, place, parentCallId)) ??
    recorded.get(placeKey(nodeId, item === undefined ? {} : { item }, parentCallId))
  );
}

const newBegun = (): BegunWrite => ({ times: 0, elsewhere: false });

export const newLoop = (): LoopRecord => ({ models: [], tools: [], memory: [], compactions: [] });

/** Sorts the events of one run. Linear; what does not fit together is left out. */
export function readRecording(events: readonly RunEvent[]): RecordedRun {
  const nodes = new Map<string, NodeRecord[]>();
  const innerLoops = new Map<string, LoopRecord>();
  const models = new Map<string, ModelRecord>();
  const tools = new Map<string, ToolRecord>();
  const turns = new Map<string, { seq: number; item: number }[]>();

  function loopOf(event: RunEvent & { nodeId: string }): LoopRecord {
    const key = placeKey(event.nodeId, event, event.parentCallId);
    const own = event.parentCallId === undefined ? nodes.get(key)?.at(-1)?.loop : undefined;
    const loop = own ?? innerLoops.get(key) ?? newLoop();
    if (!own) innerLoops.set(key, loop);
    return loop;
  }

  for (const event of events) {
    addToOuterCalls(event, tools);
    switch (event.type) {
      case "node-start": {
        if (event.parentCallId !== undefined) break;
        const key = placeKey(event.nodeId, event);
        const uses = nodes.get(key) ?? [];
        uses.push({ start: event, begun: newBegun(), loop: newLoop() });
        nodes.set(key, uses);
        break;
      }
      case "node-end":
      case "node-error": {
        const use = event.parentCallId === undefined && nodes.get(placeKey(event.nodeId, event))?.at(-1);
        if (use) use.end = event;
        break;
      }
      case "model-request": {
        const record: ModelRecord = { request: event, reasoning: "" };
        models.set(event.callId, record);
        loopOf(event).models.push(record);
        break;
      }
      case "reasoning-delta": {
        const record = models.get(event.callId);
        if (record) record.reasoning += event.text;
        break;
      }
      case "model-response": {
        const record = models.get(event.callId);
        if (record) record.response = event;
        break;
      }
      case "tool-call-start": {
        const loop = loopOf(event);
        const record: ToolRecord = {
          start: event,
          turn: loop.models.length,
          begun: newBegun(),
          approvals: [],
          inner: [],
        };
        tools.set(event.callId, record);
        loop.tools.push(record);
        break;
      }
      case "write-start": {
        const isStep = event.callId === undefined && event.parentCallId === undefined;
        const record =
          event.callId === undefined
            ? isStep && nodes.get(placeKey(event.nodeId, event))?.at(-1)
            : tools.get(event.callId);
        if (!record) break;
        const times = Math.max(record.begun.times, event.again ?? 0) + 1;
        record.begun = { times, elsewhere: event.replayed === true };
        break;
      }
      case "approval-wait":
      case "approval-end":
        tools.get(event.callId)?.approvals.push(event);
        break;
      case "tool-app": {
        const record = tools.get(event.callId);
        if (record) record.shown = event;
        break;
      }
      case "tool-call-end": {
        const record = tools.get(event.callId);
        if (record) record.end = event;
        break;
      }
      case "memory-load":
      case "memory-save":
        loopOf(event).memory.push(event);
        break;
      case "compaction": {
        const loop = loopOf(event);
        loop.compactions.push({ event, turn: loop.models.length });
        break;
      }
      case "edge-pass": {
        if (event.item === undefined || event.parentCallId !== undefined) break;
        const key = turnsKey(event.edgeId, event.outerItems ?? []);
        const known = turns.get(key) ?? [];
        known.push({ seq: event.seq, item: event.item });
        turns.set(key, known);
        break;
      }
      default:
    }
  }
  return { nodes, innerLoops, tools, turns, events };
}

function addToOuterCalls(event: RunEvent, tools: ReadonlyMap<string, ToolRecord>): void {
  const seen = new Set<string>();
  for (let id = event.parentCallId; id !== undefined && !seen.has(id); id = tools.get(id)?.start.parentCallId) {
    seen.add(id);
    tools.get(id)?.inner.push(event);
  }
}

/** The outermost call that an event happened in, or undefined for one of the main flow. */
export function rootCallOf(event: RunEvent, { tools }: RecordedRun): ToolRecord | undefined {
  const seen = new Set<string>();
  let root: ToolRecord | undefined;
  for (let id = event.parentCallId; id !== undefined && !seen.has(id); id = root?.start.parentCallId) {
    seen.add(id);
    const call = tools.get(id);
    if (!call) return root;
    root = call;
  }
  return root;
}

/** The tool calls of a recording by who made them and with what; each is handed out once, equal ones in their order. */
export class RecordedCalls {
  private readonly byKey = new Map<string, ToolRecord[]>();
  /** Those with integers that may have been rounded, by what these round to. */
  private readonly byRoundedKey = new Map<string, ToolRecord[]>();

  constructor({ tools }: RecordedRun) {
    for (const record of tools.values()) {
      if (!record.end) continue;
      const { nodeId, toolName, input } = record.start;
      const key = callKey(nodeId, record.start, toolName, input);
      this.byKey.set(key, [...(this.byKey.get(key) ?? []), record]);
      if (!holdsRounded(input)) continue;
      const roundedCall = callKey(nodeId, record.start, toolName, roundedKey(input));
      this.byRoundedKey.set(roundedCall, [...(this.byRoundedKey.get(roundedCall) ?? []), record]);
    }
  }

  /** The next call of an agent with this tool and these arguments. */
  take(nodeId: string, place: ItemPlace, { toolName, input, written }: Omit<AskedTool, "callId" | "toolNodeId">) {
    for (const each of [input, written]) {
      const exact = this.byKey.get(callKey(nodeId, place, toolName, each))?.shift();
      if (exact) return exact;
    }
    return this.byRoundedKey.get(callKey(nodeId, place, toolName, roundedKey(input)))?.shift();
  }
}

function callKey(nodeId: string, place: ItemPlace, toolName: string, input: unknown): string {
  return `${placeKey(nodeId, place)}${canonicalJson([toolName, input])}`;
}
