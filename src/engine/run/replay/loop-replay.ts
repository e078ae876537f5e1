import type { AgentReplay, AskedModel, AskedTool, ReplayedTool, ServedModel } from "./agent-replay.ts";
import { canonicalJson } from "../../canonical-json.ts";
import type { ApprovalDecision } from "../../host.ts";
import type { Message } from "../../model/message.ts";
import type { EventOf, ModelPurpose, RunEvent, RunEventBody } from "../events.ts";
import type { LoopRecord, ModelRecord, ToolRecord } from "./recorded-run.ts";
import type { ReplayCut } from "./replay-options.ts";
import { differenceOf } from "./same-request.ts";
import { isRoundedFrom } from "./rounded-integers.ts";

/** What a loop's replay needs of the run around it. */
interface LoopReplayOptions {
  record: LoopRecord;
  cut: ReplayCut;
  /** Whether a call among these events is to be different, or lies after the fork point. */
  leavesInside(events: readonly RunEvent[]): boolean;
  /** Tells the log; throws where the run must not leave its recording. */
  mismatch(message: string): void;
  /** Adds a served event; `parentCallId` where it happened inside a call of the loop. */
  emit(event: RunEventBody, parentCallId?: string): void;
}

/** Goes along one recorded execution of the agent loop. */
export class LoopReplay implements AgentReplay {
  private readonly options: LoopReplayOptions;
  /** How many recorded model calls are behind. */
  private asked = 0;
  private left = false;
  private readonly taken = new Set<ToolRecord>();

  constructor(options: LoopReplayOptions) {
    this.options = options;
  }

  history(): Message[] | undefined {
    const request = this.options.record.models.find((call) => call.request.purpose !== "summary")?.request;
    if (!request || request.fromMemory === undefined || request.seq > this.options.cut.seq) return undefined;
    const first = request.messages[0]?.role === "system" ? 1 : 0;
    return request.messages.slice(first, first + request.fromMemory);
  }

  memory(type: "memory-load" | "memory-save", session: string) {
    const { record, cut } = this.options;
    return record.memory.find((event) => event.type === type && event.session === session && event.seq < cut.seq);
  }

  servesNextModel(): boolean {
    return this.nextServed() !== undefined;
  }

  goesOnWithout(purpose: ModelPurpose): boolean {
    if (this.left) return false;
    const next = this.next();
    // Where a run broke off, what comes next was never decided.
    return next ? next.request.purpose !== purpose : !this.options.cut.byPosition;
  }

  compaction(): EventOf<"compaction"> | "none" | undefined {
    if (this.left) return undefined;
    const recorded = this.options.record.compactions.find(({ turn }) => turn === this.asked)?.event;
    if (recorded && recorded.seq < this.options.cut.seq) return recorded;
    return this.next() ? "none" : undefined;
  }

  changedMessages(): Message[] | undefined {
    const change = this.changeOf(this.next()?.request.callId);
    return change?.kind === "request" ? change.messages : undefined;
  }

  model(asked: AskedModel): ServedModel | undefined {
    const next = this.next();
    const served = this.nextServed();
    this.asked += 1;
    if (!next || !served) {
      // What comes after the fork answers to something new.
      this.left = true;
      return undefined;
    }
    const { cut } = this.options;
    const different = cut.byPosition ? undefined : differenceOf(next.request, asked, cut.runIds);
    if (different !== undefined) {
      this.left = true;
      this.options.mismatch(`The agent asks its model something different from the recorded run (${different}).`);
      return undefined;
    }
    const change = this.changeOf(next.request.callId);
    if (change?.kind !== "response") return served;
    const calls = change.message.parts.some((part) => part.type === "tool-call");
    const { error: _error, rawFinishReason: _raw, ...response } = served.response;
    return {
      ...served,
      reasoning: "",
      response: { ...response, message: change.message, finishReason: calls ? "tool-calls" : "stop" },
    };
  }

  tool(asked: Omit<AskedTool, "toolNodeId">): ReplayedTool {
    const { toolName } = asked;
    const record = this.toolRecord(asked);
    if (!record) return { kind: "live" };
    this.taken.add(record);
    const { start, end, approvals, shown, inner } = record;
    const change = this.changeOf(start.callId);
    if (change?.kind === "arguments") return { kind: "live", input: change.input };
    if (change?.kind === "result") return { kind: "live", result: { ok: change.ok, output: change.output } };
    // Whoever forks at a call that was interrupted has decided that it is made again.
    const isChosen = this.options.cut.callId === start.callId;
    const isOwn = this.options.cut.byPosition && !record.begun.elsewhere;
    const repeats = isChosen ? { repeats: "chosen" as const } : isOwn ? {} : elsewhere;
    const { times } = record.begun;
    const begun = end || times === 0 ? {} : { begun: times, ...repeats };
    if (!this.isBefore(record)) return { kind: "live", ...begun };
    if (!end && this.options.cut.byPosition) {
      const decision = approvals.findLast((event) => event.type === "approval-end");
      const again = { callId: start.callId, ...(decision ? { decision: decisionOf(decision) } : {}) };
      return { kind: "live", ...begun, again };
    }
    if (!end) {
      // What becomes of a call that may have been made, the tool's setting says.
      if (times === 0)
        this.options.mismatch(`The call of ${toolName} had begun when the recorded run broke off; it is made again.`);
      return { kind: "live", ...begun };
    }
    if (this.options.leavesInside(inner)) return { kind: "live" };
    return { kind: "served", call: { start, approvals, shown, inner, end } };
  }

  emit(event: RunEventBody): void {
    this.options.emit(event);
  }

  emitInner(event: RunEvent): void {
    this.options.emit(event, event.parentCallId);
  }

  private next(): ModelRecord | undefined {
    return this.left ? undefined : this.options.record.models[this.asked];
  }

  private nextServed(): ServedModel | undefined {
    const next = this.next();
    if (!next) return undefined;
    const { request, reasoning, response } = next;
    const change = this.changeOf(request.callId);
    if (change?.kind === "response") {
      return { request, reasoning, response: response ?? emptyResponse(request) };
    }
    if (request.seq >= this.options.cut.seq || change?.kind === "request") return undefined;
    return response && response.finishReason !== "cancelled" ? { request, reasoning, response } : undefined;
  }

  /** The recorded call of this turn that a new one stands for: by id, or by the same name and arguments. */
  private toolRecord({ callId, toolName, input, written }: Omit<AskedTool, "toolNodeId">): ToolRecord | undefined {
    if (this.left) return undefined;
    const texts = new Set([input, written].map(canonicalJson));
    const open = this.options.record.tools.filter(
      (record) => record.turn === this.asked && !this.taken.has(record) && record.start.toolName === toolName,
    );
    const exact = open.filter(({ start }) => texts.has(canonicalJson(start.input)));
    const same = exact.length > 0 ? exact : open.filter(({ start }) => isRoundedFrom(start.input, input));
    return same.find(({ start }) => start.callId === callId) ?? same[0];
  }

  /** Before the fork point, or beside it in the same turn. */
  private isBefore({ start, turn }: ToolRecord): boolean {
    const { cut, record } = this.options;
    if (start.seq < cut.seq) return true;
    const forked = record.tools.find((each) => each.start.callId === cut.callId);
    return forked !== undefined && forked.turn === turn && forked.start.callId !== start.callId;
  }

  private changeOf(callId: string | undefined) {
    const { changes } = this.options.cut;
    return callId !== undefined && Object.hasOwn(changes, callId) ? changes[callId] : undefined;
  }
}

const elsewhere = { repeats: "elsewhere" } as const;

function decisionOf({ approved, input, reason = "", unasked }: EventOf<"approval-end">): ApprovalDecision {
  return approved ? { approved, input } : { approved, reason, ...(unasked ? { unasked } : {}) };
}

function emptyResponse({ nodeId, modelNodeId, edgeId, callId, iteration, ...rest }: EventOf<"model-request">) {
  const call = { nodeId, modelNodeId, edgeId, callId, iteration };
  const { runId, seq, at } = rest;
  const response: EventOf<"model-response"> = {
    type: "model-response",
    ...call,
    message: { role: "assistant", parts: [] },
    finishReason: "stop",
    costUsd: 0,
    durationMs: 0,
    runId,
    seq,
    at,
  };
  return response;
}
