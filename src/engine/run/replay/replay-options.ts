import type { Json, JsonObject } from "../../json.ts";
import type { AssistantMessage, Message } from "../../model/message.ts";
import type { Recording } from "./recording.ts";

/** What is to be different at one recorded exchange. */
export type ReplayChange =
  /** The model is sent these messages instead, for real. */
  | { kind: "request"; messages: Message[] }
  /** The model is not called; this is its answer. */
  | { kind: "response"; message: AssistantMessage }
  /** The tool is called with these arguments, for real. */
  | { kind: "arguments"; input: JsonObject }
  /** The tool is not called; this is its result. */
  | { kind: "result"; ok: boolean; output: Json };

/** What a run did that its recording does not have, or must not do. */
export interface ReplayMiss {
  /** The node of the flow, or the agent. */
  nodeId: string;
  /** The tool's name or the node's title; absent for a model call. */
  name?: string;
  message: string;
  hint: string;
}

/** How a run is served from a recording, and where it leaves it. */
export interface ReplayOptions {
  recording: Recording;
  /**
   * The fork point: everything that began before it is served (free, offline, without approvals and side effects), the
   * rest is run. A call id means the model or tool call itself, which is made anew; the other calls of the same turn
   * are served. A number is a `seq`. Absent: the first changed call, or, without changes, the recording's end.
   */
  until?: string | number;
  /** By call id of a recorded model or tool call. */
  changes?: Readonly<Record<string, ReplayChange>>;
  /**
   * What happens where the run asks something else than was recorded, such as after an edit of the workflow: `live` (when
   * absent) warns and goes on for real from there, `stop` ends the run with an error, `ask` too, except for tool calls.
   */
  onMismatch?: "live" | "stop" | "ask";
  /**
   * What is taken from the recording. `run` (when absent): all that it has, whole nodes at once. `exchanges`: answers of
   * models, tools and nodes that call servers; everything between is done anew. `tools`: the same without the models'. Tool
   * calls are found by agent, tool, arguments and their turn among equal ones; with `onMismatch: "ask"` a person decides
   * about calls that are not found. `nothing`: only `mayWrite` counts.
   */
  serve?: "run" | "exchanges" | "tools" | "nothing";
  /** Names of tools, or titles or ids of nodes, that may change something outside and may yet be run; all when absent. */
  mayWrite?: readonly string[];
  /** Told of each miss, also where the run goes on all the same; not of those that a person is asked about. */
  onMiss?(miss: ReplayMiss): void;
}

/** Where and how a replay leaves its recording; the same for a run and those inside its tool calls. */
export interface ReplayCut {
  /** What begins at this `seq` or later is run. */
  seq: number;
  /** The call that is made anew. */
  callId: string | undefined;
  changes: NonNullable<ReplayOptions["changes"]>;
  onMismatch: NonNullable<ReplayOptions["onMismatch"]>;
  serve: NonNullable<ReplayOptions["serve"]>;
  mayWrite: readonly string[] | undefined;
  onMiss(miss: ReplayMiss): void;
  /** Recorded answers count by their place, whatever is asked: a resumed run asks what it asked before. */
  byPosition?: boolean;
  /** Ids that stand for "this run" in recorded and in new texts. */
  runIds: readonly string[];
  /** Whether a node is set up as it was; asked for nodes that would be served. */
  isUnchanged(nodeId: string): boolean;
}
