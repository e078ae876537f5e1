import type { AgentFinish } from "../../engine/agent/ending.ts";

/** Why an agent stopped, in words. */
export function finishMessage(finish: AgentFinish | undefined): string {
  return finish === undefined || finish === "completed" ? "Finished" : endings[finish].words;
}

/** The same for a place with room for a word or two. */
export function endingLabel(finish: Exclude<AgentFinish, "completed">): string {
  return endings[finish].label;
}

const endings: Record<Exclude<AgentFinish, "completed">, { words: string; label: string }> = {
  empty: { words: "Ended without an answer", label: "Empty answer" },
  max_iterations: { words: "Stopped at the iteration limit", label: "Iteration limit" },
  max_rounds: { words: "Stopped at the round limit", label: "Round limit" },
  length: { words: "Cut off at the token limit", label: "Token limit" },
  refused: { words: "Declined or filtered", label: "Declined" },
  timeout: { words: "Stopped at the time limit", label: "Time limit" },
  budget: { words: "Stopped at the budget", label: "Budget" },
  loop_detected: { words: "Stopped because it kept repeating the same call", label: "Repeated call" },
  cancelled: { words: "Stopped by you", label: "Stopped" },
  error: { words: "Stopped by an error", label: "Error" },
};
