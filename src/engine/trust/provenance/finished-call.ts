import type { Json, JsonObject } from "../../json.ts";
import type { JudgedTool, Verdict } from "./verdict.ts";

/**
 * Whether a call with values from outside may have changed what the owner's own tools give from now on: shared by all agents of a run,
 * since they may use the same tools.
 */
export interface OwnStores {
  areSpoilt: boolean;
}

/** A call that was made. `wrote`: it may have changed something. `own`: how far the owner trusts its results. */
export interface FinishedToolCall {
  tool: JudgedTool;
  input: JsonObject;
  output: Json;
  wrote: boolean;
  own?: OwnResults | undefined;
  verdict?: Verdict | undefined;
  from?: Place | undefined;
}

/**
 * What the owner says of a tool's results: `records` are his own, though strangers may have written in them, such as his mail, so
 * those that he names may be acted on; `fields`: nobody else fills in their short fields. Their free text is never trusted.
 */
export const ownResults = ["records", "fields"] as const;
export type OwnResults = (typeof ownResults)[number];

/** Where a text was read. */
export interface Place {
  callId?: string | undefined;
  title: string;
}
