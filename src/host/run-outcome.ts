import { z } from "zod/mini";
import { agentFinishes, type EarlyFinish } from "../engine/agent/ending.ts";

/** How a stored run stands. */
export const runStatus = z.enum(["queued", "running", "waiting", "completed", "failed", "cancelled", "interrupted"]);

/** Why a run stopped early although it completed. */
export const runEnding = z.object({
  finish: z.enum(agentFinishes.filter((finish): finish is EarlyFinish => finish !== "completed")),
  message: z.string(),
});
