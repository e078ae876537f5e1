import type { Wired } from "../document/define-node.ts";
import type { Host } from "../host.ts";
import type { Json, JsonObject } from "../json.ts";
import type { ChatModel } from "../model/chat-model.ts";
import type { FilePart, ImagePart, Message } from "../model/message.ts";
import type { RunErrorData } from "../run/errors.ts";
import type { RunEventBody } from "../run/events.ts";
import type { Pauser } from "../run/pauser.ts";
import type { RunScope } from "../run/run-scope.ts";
import type { Taint } from "../trust/taint.ts";
import type { AgentReplay } from "./agent-replay.ts";
import type { AgentEnding, AgentFinish } from "./ending.ts";
import type { Memory } from "./memory/memory.ts";
import type { AgentSettings } from "./settings.ts";
import type { ToolCallContext, ToolSet } from "./tool.ts";

/**
 * Everything that one execution of the loop needs. It knows the model, memory and tools of the agent, not the graph.
 */
export interface AgentRun {
  settings: AgentSettings;
  /** The agent's own node, which its events name. */
  nodeId: string;
  model: Wired<ChatModel>;
  /**
   * Fallback models, in order: each is used when the retries of the one before it are exhausted, the first after
   * `model`.
   */
  fallback?: readonly Wired<ChatModel>[];
  memory?: Wired<Memory>;
  /** Masks messages before the memory stores them; if absent, they are stored as they are. */
  forMemory?: ((messages: readonly Message[]) => Message[]) | undefined;
  tools: readonly Wired<ToolSet>[];
  /** Images that belong to the user's message. */
  images?: readonly ImagePart[];
  /** Files that belong to it. */
  files?: readonly FilePart[];
  /** Where untrusted content in the user's message and the instructions came from. */
  untrusted?: Taint;
  host: Host;
  /** Aborted by Stop. */
  signal: AbortSignal;
  /** What it shares with all nodes and agents of the run. */
  scope: RunScope;
  /** 0 for an agent of the main flow, 1 for one that it calls as a tool, and so on. */
  depth: number;
  emit(event: RunEventBody): void;
  /** Like `emit`, for what happens inside the tool call `callId`. */
  emitWithin(callId: string, event: RunEventBody): void;
  /** The gate before model and tool calls; without it nothing pauses. */
  pauser?: Pauser;
  /** Serves calls from a recording. */
  replay?: AgentReplay | undefined;
  /** Also counts model calls for the agent that called this one as a tool. */
  addUsage?: ToolCallContext["addUsage"];
  /** The model call that was answered last; the same again when the run is resumed. */
  lastModelCall?: string;
  /** Stops the time limits of the agent that called this one as a tool. */
  pausedWhile?: ToolCallContext["pausedWhile"];
}

/**
 * How the loop ended. It never throws: failures, the time limit and Stop are the second form. `ending` is there when it
 * stopped early and gave what it had. `untrusted` is where the untrusted content came from that went into it.
 */
export type AgentOutcome = { untrusted: Taint } & (
  | {
      ok: true;
      finish: AgentFinish;
      ending: AgentEnding | undefined;
      output: { response: Json; metadata: JsonObject } & JsonObject;
    }
  | { ok: false; finish: AgentFinish; error: RunErrorData; metadata: JsonObject }
);
