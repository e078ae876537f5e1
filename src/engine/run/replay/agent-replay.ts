import type { ToolChoice, ToolDefinition } from "../../model/chat-model.ts";
import type { ApprovalDecision } from "../../host.ts";
import type { Json } from "../../json.ts";
import type { Message } from "../../model/message.ts";
import type { EventOf, ModelPurpose, RunEvent, RunEventBody } from "../events.ts";

/** What the loop is about to ask a model. */
export interface AskedModel {
  purpose: ModelPurpose;
  provider: string;
  model: string;
  messages: readonly Message[];
  tools: readonly ToolDefinition[];
  toolChoice: ToolChoice;
}

/** A recorded exchange with a model, as it is served again. */
export interface ServedModel {
  request: EventOf<"model-request">;
  reasoning: string;
  response: EventOf<"model-response">;
}

/** A recorded tool call, as it is served again; `inner` is what happened inside it, in order. */
export interface ServedTool {
  start: EventOf<"tool-call-start">;
  approvals: readonly (EventOf<"approval-wait"> | EventOf<"approval-end">)[];
  shown?: EventOf<"tool-app"> | undefined;
  inner: readonly RunEvent[];
  end: EventOf<"tool-call-end">;
}

/** A tool call that had begun when the run's process went away. */
export interface CallAgain {
  /** Its id then, which it keeps. */
  callId: string;
  /** What a person had said to it. */
  decision?: ApprovalDecision;
}

/**
 * `chosen`: a person has decided that it is made again. `elsewhere`: it began in another run, which sent another `Idempotency-Key`, so
 * nobody ignores a second request.
 */
export type Repeating = "chosen" | "elsewhere";

/** A tool call to make, with other arguments where they were changed. */
export interface LiveCall {
  kind: "live";
  input?: Json;
  /** The result that a person provided: then it is not made. */
  result?: { ok: boolean; output: Json };
  again?: CallAgain;
  /** It began so many times to change something outside, and nothing says how that ended. */
  begun?: number;
  /** Who decides whether such a call is made again: its setting when absent. */
  repeats?: Repeating;
  /** A person decides whether it is made, whatever the tool's own policy is. */
  ask?: true;
}

/** What to do with a tool call: serve it or make it. */
export type ReplayedTool = { kind: "served"; call: ServedTool } | LiveCall;

/** A tool call that is about to be made; without a node where none will be, since there is no such tool or it is refused. */
export interface AskedTool {
  callId: string;
  toolName: string;
  input: Json;
  /** The arguments as the model wrote them, as older recordings have them. */
  written: Json;
  toolNodeId: string | undefined;
}

/**
 * What one execution of the loop is served from a recording. Asked in the order of the loop; answers nothing more once
 * the fork point is reached or the run has left the recording. `model` and `tool` throw a RunError where a run that must
 * not leave its recording would.
 */
export interface AgentReplay {
  /** What the memory gave then; undefined when it is to be read. */
  history(): Message[] | undefined;
  /** The recorded memory event, when that part is not to be done again. */
  memory(
    type: "memory-load" | "memory-save",
    session: string,
  ): EventOf<"memory-load"> | EventOf<"memory-save"> | undefined;
  /** Whether the next model call is served, whatever it asks. */
  servesNextModel(): boolean;
  /** Whether the recording, as long as the run follows it, goes on without a model call for this purpose. */
  goesOnWithout(purpose: ModelPurpose): boolean;
  /**
   * The compaction that the recording made before the next model call, "none" where it made none; undefined where that was not
   * decided, or the run has left the recording.
   */
  compaction(): EventOf<"compaction"> | "none" | undefined;
  /** The messages that the fork sends in the next model call instead. */
  changedMessages(): Message[] | undefined;
  model(asked: AskedModel): ServedModel | undefined;
  tool(asked: AskedTool): ReplayedTool;
  /** Adds an event that is served, not made; the envelope of a recorded one does not count. */
  emit(event: RunEventBody): void;
  /** The same for what happened inside a tool call. */
  emitInner(event: RunEvent): void;
}
