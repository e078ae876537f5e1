import { repeatWork, type Retry } from "../time/backoff.ts";
import { onAbort } from "../time/on-abort.ts";
import { afterCrashOf, leavesStudio } from "../document/outreach.ts";
import type { Json } from "../json.ts";
import { Deliveries } from "./deliveries.ts";
import { cancelledError, errorData, RunError, type RunErrorData } from "../errors.ts";
import type { RunEventBody } from "./events.ts";
import type { FlowOptions, FlowResult, FlowView, RunShared } from "./flow-view.ts";
import { FlowOutput } from "./flow-output.ts";
import { NodeContext } from "./node-context.ts";
import { gatherInputs, type NodeInputs } from "./node-inputs.ts";
import { firedByOutput, firedPorts, firstOf, holdNode, inputOf, outputOf } from "./node-values.ts";
import { settleInterrupted } from "./interrupted-step.ts";
import { emitServed } from "./replay/replay-flow.ts";
import type { NodeRecord } from "./replay/recorded-run.ts";
import type { ServedNode } from "./replay/replay.ts";
import type { EventStamp } from "./run-log.ts";
import type { MainLink, NodePlan } from "./run-plan.ts";
import { FlowTaint } from "../trust/flow-taint.ts";
import { mayHaveSpoilt, mayWriteOutside } from "../trust/spoilt-stores.ts";
import { noTaint, type Taint, untrustedField } from "../trust/taint.ts";
import { storedFirst } from "./stored-first.ts";
import { whenLate } from "./when-late.ts";

/**
 * Runs nodes of the main flow as soon as their inputs are there: those that do not depend on each other in parallel,
 * each at most once. Emits node and edge events; never throws. One flow is the run itself, or one item's branch.
 */
export class Flow implements FlowView {
  readonly shared: RunShared;
  readonly signal: AbortSignal;
  readonly stamp: EventStamp;
  readonly taint: FlowTaint;
  private readonly options: FlowOptions;
  private readonly deliveries: Deliveries;
  private readonly outputs = new Map<string, Json>();
  private readonly result = new FlowOutput();
  private readonly running = new Map<NodePlan, number>();
  private readonly branches = new Set<Flow>();
  /** For-each nodes whose branch ran at least once. */
  private readonly branched = new Set<string>();
  private pumping = false;
  private failure: RunErrorData | undefined;
  private ended = false;
  private resolve: (result: FlowResult) => void = () => {};
  private readonly done: Promise<FlowResult>;

  constructor(options: FlowOptions) {
    this.options = options;
    this.shared = options.shared;
    this.stamp = options.stamp ?? {};
    this.taint = new FlowTaint(options.shared.plan, options.parent?.taint);
    this.deliveries = new Deliveries(this, options);
    this.signal = options.controller.signal;
    this.done = new Promise((resolve) => {
      this.resolve = resolve;
    });
    const late = () => void whenLate(this.shared.host, this.done, () => this.giveUp());
    this.signal.addEventListener("abort", late, { once: true });
  }

  /** Starts at one node and resolves when nothing is left to do. */
  runFrom(plan: NodePlan, value: Json, untrusted: Taint = noTaint): Promise<FlowResult> {
    this.taint.enter(plan, untrusted);
    this.deliveries.start(plan, value);
    this.pump();
    return this.done;
  }

  /** Starts with a value on edges that come from outside and resolves when nothing is left to do. */
  runThrough(links: readonly MainLink[], value: Json): Promise<FlowResult> {
    for (const link of links) {
      this.emit({ type: "edge-pass", edgeId: link.edge.id });
      this.deliveries.deliver(link, value);
    }
    this.pump();
    return this.done;
  }

  /** Ends an aborted flow even if nodes are still running; whatever they do from now on is ignored. */
  giveUp(): void {
    for (const branch of this.branches) branch.giveUp();
    for (const [plan, startedAt] of this.running) {
      const error = { ...cancelledError(), nodeId: plan.id };
      this.emit({ type: "node-error", nodeId: plan.id, error, handled: false, durationMs: this.since(startedAt) });
    }
    this.running.clear();
    this.end();
  }

  outputOf(id: string): Json | undefined {
    const own = this.outputs.get(id) ?? this.options.parent?.outputOf(id);
    return own ?? (Object.hasOwn(this.shared.pinned, id) ? this.shared.pinned[id] : undefined);
  }

  emit(event: RunEventBody, mark?: { replayed: true }): number {
    return this.add(event, mark ? { ...this.stamp, ...mark } : this.options.stamp);
  }

  emitWithin(parentCallId: string, event: RunEventBody, mark?: { replayed: true }): number {
    return this.add(event, { ...this.stamp, parentCallId, ...mark });
  }

  serviceError(error: unknown, plan: NodePlan): RunError {
    return new RunError(errorData(error, plan.node, this.signal));
  }

  async runBranch(plan: NodePlan, port: string, value: Json, item: number): Promise<Json> {
    const turn = this.shared.host.breathe?.();
    if (turn) await turn;
    const members = this.shared.plan.branchMembers.get(plan.id) ?? new Set<string>();
    const controller = new AbortController();
    const unwatch = onAbort(this.signal, () => controller.abort(this.signal.reason));
    const links = plan.mainOut.filter((link) => link.port === port);
    const entryEdges = new Set(links.map((link) => link.edge.id));
    const { item: around, outerItems = [] } = this.stamp;
    const stamp = { ...this.stamp, item, ...(around === undefined ? {} : { outerItems: [...outerItems, around] }) };
    const branch = new Flow({ shared: this.shared, members, controller, entryEdges, parent: this, stamp });
    this.branches.add(branch);
    this.branched.add(plan.id);
    const result = await branch.runThrough(links, value);
    this.branches.delete(branch);
    unwatch();
    this.taint.add(plan, result.untrusted ?? noTaint);
    if (result.ok) return links.length === 0 ? value : result.output;
    throw new RunError(result.error);
  }

  private add(event: RunEventBody, stamp: EventStamp | undefined): number {
    if (this.ended) return -1;
    const { log, scope, runId } = this.shared;
    scope.workspaces.take(runId, event);
    return log.emit(event, stamp);
  }

  private pump(): void {
    if (this.pumping) return;
    this.pumping = true;
    for (let next = this.deliveries.next(); next; next = this.deliveries.next()) {
      if (!this.signal.aborted && !this.failure) this.start(next.plan, next.values);
    }
    this.pumping = false;
    if (this.running.size === 0) this.end();
  }

  private end(): void {
    if (this.ended) return;
    this.ended = true;
    const failed = this.failure ?? (this.signal.aborted ? cancelledError() : undefined);
    if (failed) this.resolve({ ok: false, error: failed, ...untrustedField(this.taint.all()) });
    else this.resolve({ ok: true, output: this.result.value(), ...untrustedField(this.result.taint()) });
  }

  private start(plan: NodePlan, values: readonly (Json | undefined)[]): void {
    const json = firstOf(values);
    this.taint.arrive(plan, values);
    if (plan.node.disabled) return this.passThrough(plan, json);
    const startedAt = this.shared.host.now();
    const input = inputOf(plan, values, json);
    if (Object.hasOwn(this.shared.pinned, plan.id)) {
      this.emit({ type: "node-start", nodeId: plan.id, input });
      return this.finish(plan, startedAt, firedByOutput(plan, this.shared.pinned[plan.id] ?? null), "given");
    }
    const recorded = this.shared.replay?.take(plan, this.stamp, input);
    const held = recorded ? undefined : holdNode(this, plan, values);
    if (!held) return this.perform(plan, values, json, recorded);
    this.running.set(plan, startedAt);
    held.then(
      (given) => this.settle(plan, () => this.perform(plan, given, firstOf(given))),
      (error: unknown) => this.settle(plan, () => this.fail(plan, startedAt, error)),
    );
  }

  private perform(plan: NodePlan, values: readonly (Json | undefined)[], json: Json, recorded?: NodeRecord): void {
    const startedAt = this.shared.host.now();
    const input = inputOf(plan, values, json);
    const { ownStores } = this.shared.scope;
    ownStores.areSpoilt ||= mayWriteOutside(plan, this.taint.inputOf(plan));
    try {
      const served = recorded && this.shared.replay?.serve(recorded, plan, input, this);
      this.emit({ type: "node-start", nodeId: plan.id, input }, served ? { replayed: true } : undefined);
      if (served) return this.finishServed(plan, served);
      if (recorded) this.shared.replay?.tellBegun(recorded, plan.id, this);
      this.shared.replay?.admit(plan, this);
      const inputs = gatherInputs({ flow: this, consumer: plan, main: plan, json }, values);
      const output =
        inputs instanceof Promise
          ? inputs.then((gathered) => this.runNode(plan, json, gathered, recorded))
          : this.runNode(plan, json, inputs, recorded);
      if (!(output instanceof Promise)) return this.finish(plan, startedAt, firedPorts(plan, output));
      this.running.set(plan, startedAt);
      output.then(
        (value) => this.settle(plan, () => this.finish(plan, startedAt, firedPorts(plan, value))),
        (error: unknown) => this.settle(plan, () => this.fail(plan, startedAt, error)),
      );
    } catch (error) {
      this.fail(plan, startedAt, error);
    }
  }

  /** A node that contacts something outside starts only after its start has been stored. */
  private runNode(plan: NodePlan, json: Json, inputs: NodeInputs, recorded?: NodeRecord): unknown {
    const wanted = plan.mainPorts[0] ?? "main";
    const context = new NodeContext({ flow: this, plan, main: plan, json, wanted, recorded }, inputs);
    const { host } = this.shared;
    const stored = leavesStudio(plan.definition) ? this.storeStart(plan, recorded) : undefined;
    const repeats = plan.definition.repeats?.(plan.node.config);
    const once = () => plan.definition.run(context);
    const onRetry = (retry: Retry) => void this.emit({ type: "retry", nodeId: plan.id, ...retry });
    const run = repeats ? () => repeatWork({ host, signal: this.signal, repeats, onRetry }, once) : once;
    if (!stored) return run();
    return stored.then(() => {
      this.signal.throwIfAborted();
      return run();
    });
  }

  /** Stores that a step begins; one that may have been done before a crash only goes on if its setting lets it. */
  private storeStart(plan: NodePlan, recorded: NodeRecord | undefined): Promise<void> | undefined {
    const { id: nodeId, definition, node } = plan;
    const { host } = this.shared;
    const afterCrash = afterCrashOf(definition, node.config);
    if (afterCrash === undefined) return storedFirst(host);
    const { begun, repeats } = this.shared.replay?.interrupted(recorded, nodeId, this.stamp) ?? { begun: 0 };
    const again = begun === 0 ? {} : { again: begun };
    const store = () => storedFirst(host, () => void this.emit({ type: "write-start", nodeId, ...again }));
    if (begun === 0 || repeats === "chosen") return store();
    const setting = afterCrash === "repeat" && repeats === "elsewhere" ? "ask" : afterCrash;
    const untrusted = this.taint.inputOf(plan);
    return settleInterrupted(this, plan, { afterCrash: setting, begun, untrusted }).then(store);
  }

  /** Ends as the recorded use did, after what happened in it. */
  private finishServed(plan: NodePlan, { end, during }: ServedNode): void {
    this.shared.scope.ownStores.areSpoilt ||= mayHaveSpoilt(during, this.shared.plan);
    for (const event of during) emitServed(this, event, event.parentCallId);
    emitServed(this, end, undefined);
    if (end.untrusted) this.taint.add(plan, end.untrusted);
    if (end.type === "node-end") {
      const kept = plan.mainPorts.length === 1 ? new Map(end.ports.map((port) => [port, end.output])) : undefined;
      this.outputs.set(plan.id, end.output);
      this.passOn(plan, kept ?? firedByOutput(plan, end.output), this.taint.finish(plan, "given"));
    } else this.settleFailure(plan, end.error, end.handled);
  }

  private settle(plan: NodePlan, then: () => void): void {
    if (this.ended || !this.running.delete(plan)) return;
    then();
    this.pump();
  }

  private finish(
    plan: NodePlan,
    startedAt: number,
    fired: ReadonlyMap<string, Json>,
    how: "ran" | "given" = "ran",
  ): void {
    const output = outputOf(plan, fired);
    const taint = this.taint.finish(plan, how);
    this.outputs.set(plan.id, output);
    const ports = [...fired.keys()];
    const durationMs = this.since(startedAt);
    this.emit({ type: "node-end", nodeId: plan.id, output, ports, durationMs, ...untrustedField(taint) });
    if (!this.branched.has(plan.id)) {
      const why = plan.definition.handsOn ? "needed no turn" : "had no items";
      this.deliveries.skipBranch(plan, `"${plan.node.title}" ${why}.`);
    }
    this.passOn(plan, fired, taint);
  }

  private fail(plan: NodePlan, startedAt: number, thrown: unknown): void {
    const error = errorData(thrown, plan.node, this.signal);
    const port = plan.definition.errorOutput ?? plan.mainPorts[0];
    const handled = plan.node.config.onError === "continue" && error.code !== "cancelled" && port !== undefined;
    const taint = untrustedField(this.taint.finish(plan, "ran"));
    this.emit({ type: "node-error", nodeId: plan.id, error, handled, durationMs: this.since(startedAt), ...taint });
    this.settleFailure(plan, error, handled);
  }

  private settleFailure(plan: NodePlan, error: RunErrorData, handled: boolean): void {
    const port = plan.definition.errorOutput ?? plan.mainPorts[0];
    if (handled && port !== undefined) {
      const output: Json = { error: { ...error } };
      this.outputs.set(plan.id, output);
      if (!this.branched.has(plan.id))
        this.deliveries.skipBranch(plan, `"${plan.node.title}" failed before its branch ran.`);
      this.passOn(plan, new Map([[port, output]]), this.taint.finish(plan, "ran"));
    } else if (!this.failure && !this.signal.aborted) {
      this.failure = error;
      this.options.controller.abort(new RunError(cancelledError("The run was stopped because a node failed.")));
    }
  }

  /**
   * A disabled node passes its input to its first output; a node that runs a branch per item passes it to the output
   * after that. One that `stops` passes nothing on.
   */
  private passThrough(plan: NodePlan, json: Json): void {
    const taint = this.taint.finish(plan, "ran");
    if (plan.node.stops === true) {
      const reason = "This node is turned off; what follows it does not run.";
      this.emit({ type: "node-skip", nodeId: plan.id, reason });
      return this.passOn(plan, new Map(), taint);
    }
    const reason = "This node is turned off; its input was passed on.";
    this.emit({ type: "node-skip", nodeId: plan.id, reason });
    this.outputs.set(plan.id, json);
    const port = plan.mainPorts.find((name) => plan.definition.branches?.includes(name) !== true);
    this.passOn(plan, port === undefined ? new Map() : new Map([[port, json]]), taint);
  }

  private passOn(plan: NodePlan, fired: ReadonlyMap<string, Json>, taint: Taint): void {
    let passed = false;
    const skipped: MainLink[] = [];
    for (const link of plan.mainOut) {
      if (!this.options.members.has(link.target.id)) continue;
      const value = fired.get(link.port);
      if (value === undefined) {
        skipped.push(link);
        continue;
      }
      passed = true;
      this.emit({ type: "edge-pass", edgeId: link.edge.id });
      this.deliveries.deliver(link, value);
    }
    if (!passed) this.result.add(plan, fired, taint);
    if (skipped.length > 0) this.deliveries.skip(skipped, plan);
  }

  private since(startedAt: number): number {
    return Math.max(0, this.shared.host.now() - startedAt);
  }
}
