import type { AgentReplay, AskedModel, AskedTool, ReplayedTool, ServedModel } from "./agent-replay.ts";
import { mayWrite } from "../../document/outreach.ts";
import { RunError } from "../../errors.ts";
import type { ModelPurpose, RunEvent, RunEventBody } from "../events.ts";
import type { NodePlan } from "../run-plan.ts";
import type { LoopReplay } from "./loop-replay.ts";
import type { ItemPlace, RecordedCalls } from "./recorded-run.ts";
import type { ReplayCut } from "./replay-options.ts";

interface ExchangeReplayOptions {
  /** Serves what models and the memory said, where that is taken from the recording. */
  loop: LoopReplay;
  cut: ReplayCut;
  calls: RecordedCalls;
  /** The agent. */
  nodeId: string;
  place: ItemPlace;
  planOf(nodeId: string): NodePlan | undefined;
  /** Tells the log of a call that is made although it is not recorded. */
  warn(message: string): void;
}

const missingHint = "Record the case again, or let what is missing run for real.";

/**
 * One execution of the agent loop that is done anew, while its tools (`serve: "tools"`), its models, too (`exchanges`), or
 * neither (`nothing`) answer from a recording. What the recording does not have is a miss, and goes the way of `onMismatch`.
 */
export class ExchangeReplay implements AgentReplay {
  private readonly options: ExchangeReplayOptions;
  private readonly servesModels: boolean;
  /** All that was before a fork point is served, whatever answers what comes after it. */
  private readonly isForked: boolean;

  constructor(options: ExchangeReplayOptions) {
    this.options = options;
    this.servesModels = options.cut.serve === "exchanges";
    this.isForked = options.cut.seq !== Infinity;
  }

  history() {
    return this.goesAlong ? this.options.loop.history() : undefined;
  }

  memory(type: "memory-load" | "memory-save", session: string) {
    return this.goesAlong ? this.options.loop.memory(type, session) : undefined;
  }

  servesNextModel(): boolean {
    return this.goesAlong && this.options.loop.servesNextModel();
  }

  goesOnWithout(purpose: ModelPurpose): boolean {
    return this.goesAlong && this.options.loop.goesOnWithout(purpose);
  }

  compaction() {
    return this.goesAlong ? this.options.loop.compaction() : undefined;
  }

  changedMessages() {
    return undefined;
  }

  model(asked: AskedModel): ServedModel | undefined {
    if (!this.goesAlong) return undefined;
    const served = this.options.loop.model(asked);
    if (!served && this.servesModels)
      this.missing(undefined, "The recording has no answer of the model to this request.");
    return served;
  }

  tool(asked: AskedTool): ReplayedTool {
    const { nodeId, place, calls, cut, planOf } = this.options;
    const { toolName, toolNodeId } = asked;
    // Of a call that is not made, and of the agent's own notes, nothing has to be served.
    if (toolNodeId === undefined || toolNodeId === nodeId) return { kind: "live" };
    const plan = planOf(toolNodeId);
    const before = this.isForked ? this.options.loop.tool(asked) : undefined;
    if (before?.kind === "served") {
      calls.take(nodeId, place, asked);
      return before;
    }
    // Other agents and workflows are run, and their own tools served.
    if (plan && (plan.definition.role === "agent" || plan.definition.reach.some(({ to }) => to === "workflow")))
      return { kind: "live" };
    if (cut.serve === "nothing") return this.live(asked, plan);
    const call = calls.take(nodeId, place, asked);
    if (call?.end) return { kind: "served", call: { ...call, end: call.end } };
    this.missing(toolName, `The recording has no call of ${toolName} with these arguments.`);
    return this.live(asked, plan);
  }

  emit(event: RunEventBody): void {
    this.options.loop.emit(event);
  }

  emitInner(event: RunEvent): void {
    this.options.loop.emitInner(event);
  }

  private get goesAlong(): boolean {
    return this.servesModels || this.isForked;
  }

  /** A call that is made, unless it may change something and is not named as one that may. */
  private live({ toolName }: AskedTool, plan: NodePlan | undefined): ReplayedTool {
    const { mayWrite: allowed, onMismatch } = this.options.cut;
    const names = [toolName, plan?.node.title, plan?.id];
    const isNamed = !allowed || names.some((name) => name !== undefined && allowed.includes(name));
    const writes = plan && mayWrite(plan.definition, plan.node.config);
    if (writes && !isNamed) {
      const message = `The tool ${toolName} may change something outside, so it is not called.`;
      const hint = "Name it as one that may write, or record the case.";
      this.refuse(toolName, message, hint);
    }
    return { kind: "live", ...(onMismatch === "ask" && this.options.cut.serve !== "nothing" ? { ask: true } : {}) };
  }

  private missing(toolName: string | undefined, message: string): void {
    const { cut, nodeId, warn } = this.options;
    const { onMismatch } = cut;
    if (onMismatch === "stop" || (onMismatch === "ask" && toolName === undefined))
      this.refuse(toolName, message, missingHint);
    if (onMismatch !== "live") return;
    cut.onMiss({ nodeId, ...(toolName === undefined ? {} : { name: toolName }), message, hint: missingHint });
    warn(message);
  }

  private refuse(name: string | undefined, message: string, hint: string): never {
    const { cut, nodeId } = this.options;
    cut.onMiss({ nodeId, ...(name === undefined ? {} : { name }), message, hint });
    throw new RunError({ code: "invalid_config", message, hint, nodeId });
  }
}
