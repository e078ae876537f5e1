import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Json } from "../../engine/json.ts";
import { addCost, addUsage } from "../../engine/model/usage.ts";
import { isSpending, type EventOf, type RunEvent } from "../../engine/run/events.ts";
import { type NodeRecord, placeKey, readRecording, rootCallOf } from "../../engine/run/replay/recorded-run.ts";
import { recordingOf } from "../../engine/run/replay/recording.ts";
import { ancestorsOf, type NodePlan, planRun, type RunPlan } from "../../engine/run/run-plan.ts";
import { joinTaint, noTaint, untrustedField } from "../../engine/trust/taint.ts";
import { filesOfEvents } from "./case-files.ts";
import { canBeginAt, type CaseStart, isCall } from "./case-start.ts";

/** One step of a recorded run: where a case of it begins, and the recording of it alone. */
export interface StepOfRun {
  start: CaseStart;
  /** As if the run had begun and ended with the step. */
  events: RunEvent[];
}

/** Which step is meant: a node by its last finished use, or the use in which a call was made. */
export type StepPlace = { nodeId: string } | { callId: string };

/**
 * Cuts one step out of a run: everything that happened in it, however deep, and in the branch that it ran. Of a step in a for-each's
 * branch it is the use for one item, told as if there were no for-each around. Undefined where the step did not end, or
 * where no case can begin at it.
 */
export function stepOfRun(
  all: readonly RunEvent[],
  { document, registry }: { document: WorkflowDocument; registry: NodeRegistry },
  at: StepPlace,
): StepOfRun | undefined {
  const { events } = recordingOf(all);
  const recorded = readRecording(events);
  const outermost = (event: RunEvent) => rootCallOf(event, recorded)?.start ?? event;
  const call = "callId" in at ? events.find((event) => isCall(event) && event.callId === at.callId) : undefined;
  const inFlow = call && outermost(call);
  const nodeId = "nodeId" in at ? at.nodeId : inFlow && nodeOf(inFlow);
  if (nodeId === undefined || !canBeginAt(document, registry, nodeId)) return undefined;
  const uses = [...recorded.nodes.values()]
    .flat()
    .filter(({ start, end }) => start.nodeId === nodeId && end !== undefined)
    .toSorted((a, b) => a.start.seq - b.start.seq);
  const use = uses.findLast(
    ({ start, end }) =>
      !inFlow ||
      (start.seq < inFlow.seq && inFlow.seq < (end?.seq ?? 0) && placeKey(nodeId, start) === placeKey(nodeId, inFlow)),
  );
  if (!use?.end || ("callId" in at && !call)) return undefined;

  const plan = planRun(document, registry);
  const members = withBranches(plan, nodeId);
  const around = itemsOf(use.start);
  const isOwn = (event: RunEvent) => {
    if (event.type === "pause-wait" || event.type === "pause-end") return false;
    const id = nodeOf(outermost(event));
    if (id === undefined || !around.every((item, depth) => itemsOf(event)[depth] === item)) return false;
    // A node of a workflow that the step runs has the id of the step before its own.
    const owner = plan.nodes.get(id) ?? plan.nodes.get(id.split("/")[0] ?? id);
    return owner !== undefined && (members.has(owner.id) || owner.mainPorts.length === 0);
  };
  const { start, end } = use;
  const inside = events
    .filter(({ seq }) => seq >= start.seq && seq <= end.seq)
    .filter(isOwn)
    .map((event) => outOfItems(event, around.length));
  const calls = inside.filter(isCall);
  const number =
    call === undefined ? undefined : calls.findIndex((event) => "callId" in at && event.callId === at.callId);
  const outputs = outputsBefore(events, plan, { nodeId, members, start, around });
  return {
    start: {
      node: nodeId,
      title: document.nodes[nodeId]?.title ?? nodeId,
      ...(number === undefined ? {} : { call: number + 1 }),
      ...(Object.keys(outputs).length === 0 ? {} : { outputs }),
    },
    events: [runStart(events, start, plan), ...inside, runEnd(inside, end)],
  };
}

function nodeOf(event: RunEvent): string | undefined {
  return "nodeId" in event ? event.nodeId : undefined;
}

/** The items of the for-each nodes around an event, the outermost first. */
function itemsOf({ item, outerItems = [] }: RunEvent): number[] {
  return item === undefined ? [] : [...outerItems, item];
}

function outOfItems(event: RunEvent, depth: number): RunEvent {
  if (depth === 0) return event;
  const { item: _item, outerItems: _outer, ...rest } = event;
  const left = itemsOf(event).slice(depth);
  const item = left.pop();
  return { ...rest, ...(item === undefined ? {} : { item }), ...(left.length === 0 ? {} : { outerItems: left }) };
}

/** A node, and what runs only in its branch, however deep. */
function withBranches(plan: RunPlan, nodeId: string): Set<string> {
  const members = new Set([nodeId]);
  for (const id of members) for (const inner of plan.branchMembers.get(id) ?? []) members.add(inner);
  return members;
}

interface Before {
  nodeId: string;
  members: ReadonlySet<string>;
  start: NodeRecord["start"];
  around: readonly number[];
}

/** What nodes before the step had given, as far as their names occur in a setting of the step or of what serves it. */
function outputsBefore(
  events: readonly RunEvent[],
  plan: RunPlan,
  { nodeId, members, start, around }: Before,
): Record<string, Json> {
  const settings = JSON.stringify([...withServices(plan, members)].map(({ node }) => node.config));
  const outputs: Record<string, Json> = {};
  for (const id of ancestorsOf(plan, nodeId)) {
    if (id === nodeId || !settings.includes(plan.nodes.get(id)?.slug ?? id)) continue;
    const end = events.findLast(
      (event) =>
        event.type === "node-end" &&
        event.nodeId === id &&
        event.parentCallId === undefined &&
        event.seq < start.seq &&
        itemsOf(event).every((item, depth) => around[depth] === item),
    );
    if (end?.type === "node-end") outputs[id] = end.output;
  }
  return outputs;
}

function withServices(plan: RunPlan, members: ReadonlySet<string>): Set<NodePlan> {
  const found = new Set([...members].flatMap((id) => plan.nodes.get(id) ?? []));
  for (const { services } of found)
    for (const { from } of services) {
      const service = plan.nodes.get(from.node);
      if (service) found.add(service);
    }
  return found;
}

/** What the steps before were marked with, the step's input is. */
function runStart(
  events: readonly RunEvent[],
  { runId, seq, at, input, nodeId }: NodeRecord["start"],
  plan: RunPlan,
): EventOf<"run-start"> {
  const run = events.find((event) => event.type === "run-start");
  const { workflowId = "", workflowName = "" } = run ?? {};
  const files = filesOfEvents(events.filter((event) => event.seq < seq));
  const before = ancestorsOf(plan, nodeId);
  const marks = events.map((event) =>
    event.type === "node-end" && event.seq < seq && before.has(event.nodeId) ? (event.untrusted ?? noTaint) : noTaint,
  );
  const untrusted = joinTaint(run?.untrusted ?? noTaint, ...marks);
  return {
    type: "run-start",
    runId,
    seq: seq - 1,
    at,
    workflowId,
    workflowName,
    input,
    ...untrustedField(untrusted),
    ...(files.length === 0 ? {} : { files }),
  };
}

function runEnd(inside: readonly RunEvent[], end: EventOf<"node-end"> | EventOf<"node-error">): EventOf<"run-end"> {
  const { runId, seq, at, durationMs } = end;
  const asked = inside.filter(isSpending);
  const usage = asked.reduce((sum, each) => (each.usage ? addUsage(sum, each.usage) : sum), {
    inputTokens: 0,
    outputTokens: 0,
  });
  const costUsd = asked.reduce<number | null>((sum, each) => addCost(sum, each.costUsd), 0);
  const spent = { usage, costUsd, durationMs, runId, seq: seq + 1, at };
  if (end.type === "node-end") return { type: "run-end", outcome: "completed", output: end.output, ...spent };
  const { error, handled } = end;
  if (handled) return { type: "run-end", outcome: "completed", output: { error: { ...error } }, ...spent };
  return {
    type: "run-end",
    outcome: error.code === "cancelled" ? "cancelled" : "failed",
    output: null,
    error,
    ...spent,
  };
}
