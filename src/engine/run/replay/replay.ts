import type { Json } from "../../json.ts";
import { RunError } from "../../errors.ts";
import { type EventOf, idKeys, type RunEvent } from "../events.ts";
import type { NodePlan } from "../run-plan.ts";
import type { AgentReplay, Repeating } from "./agent-replay.ts";
import type { TurnsBefore } from "../../document/define-node.ts";
import { leavesForServer, mayWrite } from "../../document/outreach.ts";
import { ExchangeReplay } from "./exchange-replay.ts";
import { EventsByNode } from "./events-by-node.ts";
import { LoopReplay } from "./loop-replay.ts";
import {
  atPlace,
  begunElsewhere,
  type ItemPlace,
  type LoopRecord,
  newLoop,
  type NodeRecord,
  readRecording,
  RecordedCalls,
  type RecordedRun,
  turnsKey,
} from "./recorded-run.ts";
import { emitServed, type ReplayFlow } from "./replay-flow.ts";
import type { ReplayCut } from "./replay-options.ts";
import { sameValue } from "./same-request.ts";

/** A node's finished use: its end, and what happened meanwhile. */
export interface ServedNode {
  end: EventOf<"node-end"> | EventOf<"node-error">;
  during: readonly RunEvent[];
}

/** One run's way along a recording; each recorded use is served once. */
export class Replay {
  private readonly recorded: RecordedRun;
  private readonly eventsByNode: EventsByNode;
  private readonly cut: ReplayCut;
  private readonly taken = new Set<NodeRecord>();
  private calls: RecordedCalls | undefined;

  constructor(events: readonly RunEvent[], cut: ReplayCut) {
    this.recorded = readRecording(events);
    this.eventsByNode = new EventsByNode(this.recorded);
    this.cut = cut;
  }

  /** The recorded use that a node goes along, if any; the one with the same input goes first. */
  take({ id, definition }: NodePlan, place: ItemPlace, input: Json): NodeRecord | undefined {
    const leaves = leavesForServer(definition);
    const servesModels = this.cut.serve === "run" || this.cut.serve === "exchanges";
    // What was before a fork point is served whatever answers what comes after it.
    if (this.cut.seq === Infinity && !servesModels && (this.cut.serve === "nothing" || !leaves)) return undefined;
    const uses = atPlace(this.recorded.nodes, id, place) ?? [];
    const free = uses.filter((use) => !this.taken.has(use) && use.start.seq < this.cut.seq);
    const same = free.find((each) => sameValue(each.start.input, input, this.cut.runIds));
    const use = same ?? (this.cut.serve === "run" || !leaves ? free[0] : undefined);
    if (use) this.taken.add(use);
    return use;
  }

  /** Throws a RunError where a node may not run that is not served: it calls a server, and the run must not do so. */
  admit({ id, node, definition }: NodePlan, flow: ReplayFlow): void {
    const { serve, mayWrite: allowed, onMismatch } = this.cut;
    if (serve === "run" || definition.role !== "flow" || !leavesForServer(definition)) return;
    const { title } = node;
    if (serve !== "nothing") {
      const message = `"${title}" was not used with this input in the recorded run.`;
      const hint = "Record the case again, or let what is missing run for real.";
      this.cut.onMiss({ nodeId: id, name: title, message, hint });
      if (onMismatch !== "live") throw new RunError({ code: "invalid_config", message, hint, nodeId: id });
      flow.emit({ type: "warning", nodeId: id, message, hint: "It runs for real." });
    }
    if (!allowed || allowed.includes(title) || allowed.includes(id) || !mayWrite(definition, node.config)) return;
    const message = `"${title}" may change something outside, so it is not run.`;
    const hint = "Name it as one that may write, or record the case.";
    this.cut.onMiss({ nodeId: id, name: title, message, hint });
    throw new RunError({ code: "invalid_config", message, hint, nodeId: id });
  }

  /**
   * A use in full, where it had ended and nothing in it is to be different. Where it asked something else then, the log
   * is told; throws a RunError when that must not be.
   */
  serve(use: NodeRecord, plan: NodePlan, input: Json, flow: ReplayFlow): ServedNode | undefined {
    const { end, start } = use;
    if (!end || plan.definition.branches) return undefined;
    if (this.cut.serve !== "run" && !leavesForServer(plan.definition) && !this.isServedWhole(plan, flow))
      return undefined;
    const during = this.eventsDuring(use, end, plan, flow);
    if (during.some((event) => this.leavesAt(event))) return undefined;
    if (this.cut.byPosition) return { end, during };
    const why = !sameValue(start.input, input, this.cut.runIds)
      ? "gets another input"
      : this.cut.isUnchanged(plan.id)
        ? undefined
        : "has other settings";
    if (why === undefined) return { end, during };
    this.mismatch(flow, plan.id, `"${plan.node.title}" ${why} than in the recorded run.`);
    return undefined;
  }

  /** How often a step began to change something outside that nothing says the end of, and who decides whether it is done again. */
  interrupted(
    use: NodeRecord | undefined,
    nodeId: string,
    place: ItemPlace,
  ): { begun: number; repeats: Repeating | undefined } {
    // Whoever forks at a step has decided that it is done again.
    const uses = atPlace(this.recorded.nodes, nodeId, place) ?? [];
    const chosen = use ? undefined : uses.find(({ start }) => start.seq === this.cut.seq);
    const { end, begun } = use ?? chosen ?? { begun: { times: 0, elsewhere: false } };
    const isOwn = this.cut.byPosition && !begun.elsewhere;
    const repeats = chosen ? "chosen" : isOwn ? undefined : "elsewhere";
    return { begun: end ? 0 : begun.times, repeats };
  }

  /** Tells the log of a fork that its step had begun in the run it goes on from; before anything can end its process. */
  tellBegun(use: NodeRecord, nodeId: string, flow: ReplayFlow): void {
    const { begun, repeats } = this.interrupted(use, nodeId, flow.stamp);
    if (begun > 0 && repeats === "elsewhere")
      emitServed(flow, { type: "write-start", nodeId, ...begunElsewhere(begun) }, undefined);
  }

  /** How far a resumed run had come with the turns of a branch, which begins with these edges; undefined where it decides anew. */
  turnsBefore(
    use: NodeRecord | undefined,
    edgeIds: readonly string[],
    { item, outerItems = [] }: ItemPlace,
  ): TurnsBefore | undefined {
    // A replay that is no resumption may be of another workflow, which decides for itself.
    if (!use || this.cut.serve !== "run" || !this.cut.byPosition || edgeIds.length === 0) return undefined;
    const around = item === undefined ? outerItems : [...outerItems, item];
    const turns = edgeIds
      .flatMap((id) => this.recorded.turns.get(turnsKey(id, around)) ?? [])
      .filter(({ seq }) => seq > use.start.seq && (use.end === undefined || seq < use.end.seq));
    const begun = Math.max(0, ...turns.map((turn) => turn.item + 1));
    // Events of older runs do not say in which item around theirs they happened.
    const isKnown = begun > 0 || around.length === 0;
    return { begun, ended: isKnown && use.end?.type === "node-end" };
  }

  /** What a loop of the main flow (`use`), or one inside a tool call, is served. */
  loop(
    flow: ReplayFlow,
    nodeId: string,
    use: NodeRecord | undefined,
    parentCallId: string | undefined,
  ): AgentReplay | undefined {
    const record: LoopRecord | undefined =
      parentCallId === undefined ? use?.loop : atPlace(this.recorded.innerLoops, nodeId, flow.stamp, parentCallId);
    const { serve } = this.cut;
    if (serve === "run" && !record) return undefined;
    const loop = new LoopReplay({
      record: record ?? newLoop(),
      cut: this.cut,
      leavesInside: (events) => events.some((event) => this.leavesAt(event)),
      mismatch: (message) => this.mismatch(flow, nodeId, message),
      emit: (event, within) => emitServed(flow, event, within ?? parentCallId),
    });
    if (serve === "run") return loop;
    this.calls ??= new RecordedCalls(this.recorded);
    return new ExchangeReplay({
      loop,
      cut: this.cut,
      calls: this.calls,
      nodeId,
      place: flow.stamp,
      planOf: (toolNodeId) => flow.shared.plan.nodes.get(toolNodeId),
      warn: (message) => void flow.emit({ type: "warning", nodeId, message, hint: "It is made for real." }),
    });
  }

  /** The same for a run inside a tool call: its own events, with the ids that they had there. */
  nested(ownerId: string, callId: string): Replay | undefined {
    const within = { ...this.cut, isUnchanged: () => true };
    if (this.cut.serve === "nothing") return new Replay([], within);
    if (this.cut.serve === "tools") {
      // A model that is asked anew gives its calls other ids.
      return new Replay(
        this.recorded.events.flatMap((event) => liftedOut(event, ownerId)),
        within,
      );
    }
    const call = this.recorded.tools.get(callId);
    if (!call && this.cut.serve === "exchanges") return new Replay([], within);
    if (!call) return undefined;
    const inside = call.inner.flatMap((event) => liftedOut(event, ownerId, callId));
    return new Replay(inside, within);
  }

  /** Tools of a server are known only when it has been asked, so an agent that has some cannot be run without it. */
  private isServedWhole(plan: NodePlan, flow: ReplayFlow): boolean {
    return (
      this.cut.serve === "exchanges" &&
      [...servicesOf(plan, flow)].some((id) => {
        const definition = flow.shared.plan.nodes.get(id)?.definition;
        return definition?.role === "tool" && definition.reach.some(({ to }) => to === "server");
      })
    );
  }

  private eventsDuring(use: NodeRecord, end: RunEvent, plan: NodePlan, flow: ReplayFlow): RunEvent[] {
    const from = use.start.seq + 1;
    const own = this.eventsByNode.between(plan.id, use.start, from, end.seq);
    const said = [...servicesOf(plan, flow)].flatMap((id) =>
      this.eventsByNode
        .between(id, use.start, from, end.seq)
        .filter(({ root }) => root.type === "log" || root.type === "warning"),
    );
    const all = said.length === 0 ? own : [...own, ...said].toSorted((a, b) => a.event.seq - b.event.seq);
    return all.map(({ event }) => event);
  }

  private leavesAt(event: RunEvent): boolean {
    if (event.type !== "model-request" && event.type !== "tool-call-start") return false;
    return event.seq >= this.cut.seq || Object.hasOwn(this.cut.changes, event.callId);
  }

  private mismatch(flow: ReplayFlow, nodeId: string, message: string): void {
    const hint = "Replay it with the workflow as it was then, or let it go on for real from here.";
    this.cut.onMiss({ nodeId, message, hint });
    if (this.cut.onMismatch !== "live") {
      throw new RunError({ code: "invalid_config", message, hint, nodeId });
    }
    flow.emit({ type: "warning", nodeId, message, hint: "From here it runs for real." });
  }
}

/** The ids of all nodes that serve a node, however deep. */
function servicesOf(plan: NodePlan, flow: ReplayFlow): Set<string> {
  const found = new Set<string>();
  const open = [plan];
  for (const each of open) {
    for (const { from } of each.services) {
      const service = flow.shared.plan.nodes.get(from.node);
      if (!service || found.has(service.id)) continue;
      found.add(service.id);
      open.push(service);
    }
  }
  return found;
}

/** An event of a run inside `callId` (any call when absent) as that run made it; none when it belongs to something else. */
function liftedOut(event: RunEvent, ownerId: string, callId?: string): RunEvent[] {
  const lifted = { ...event };
  const prefix = `${ownerId}/`;
  let inside = false;
  for (const key of idKeys) {
    const id: unknown = Reflect.get(lifted, key);
    if (typeof id !== "string" || !id.startsWith(prefix)) continue;
    Reflect.set(lifted, key, id.slice(prefix.length));
    inside = true;
  }
  if (!inside) return [];
  if (callId === undefined || lifted.parentCallId === callId) delete lifted.parentCallId;
  if ("error" in lifted && lifted.error?.nodeId?.startsWith(prefix) === true) {
    lifted.error = { ...lifted.error, nodeId: lifted.error.nodeId.slice(prefix.length) };
  }
  return [lifted];
}
