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
   * absent) warns and goes on for real from there, `stop` ends the run with an error.
   */
  onMismatch?: "live" | "stop";
}
