import { z } from "zod/mini";
import type { EarlyFinish } from "../../../engine/agent/ending.ts";

/** How a stored run stands. */
export const runStatus = z.enum(["queued", "running", "waiting", "completed", "failed", "cancelled", "interrupted"]);

/** All of them by name: a list of workflows is read before the engine, which has the words for them, is loaded. */
const earlyFinishes: { [Finish in EarlyFinish]: Finish } = {
  empty: "empty",
  max_iterations: "max_iterations",
  max_rounds: "max_rounds",
  length: "length",
  refused: "refused",
  timeout: "timeout",
  budget: "budget",
  loop_detected: "loop_detected",
  cancelled: "cancelled",
  error: "error",
};

/** Why a run stopped early although it completed. */
export const runEnding = z.object({
  finish: z.enum(earlyFinishes),
  message: z.string(),
});

/** The last run of a workflow or of a schedule, as functions of the database give it. */
export const lastRun = z.object({
  id: z.string(),
  status: runStatus,
  ending: z.catch(z.nullable(runEnding), null),
  startedAt: z.string(),
});
