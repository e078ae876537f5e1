import type { AgentFinish } from "../../engine/agent/ending.ts";

/** Why an agent stopped, in words. */
export function finishWords(finish: AgentFinish | undefined): string {
  switch (finish) {
    case undefined:
    case "completed":
      return "Finished";
    case "max_iterations":
      return "Stopped at the limit of iterations";
    case "max_rounds":
      return "Stopped at the limit of rounds";
    case "length":
      return "Cut off at the token limit";
    case "refused":
      return "Declined or filtered";
    case "timeout":
      return "Stopped at the time limit";
    case "budget":
      return "Stopped at the budget";
    case "loop_detected":
      return "Stopped: the same call came again and again";
    case "cancelled":
      return "Stopped by you";
    case "error":
      return "Stopped by an error";
    default:
      return finish satisfies never;
  }
}
