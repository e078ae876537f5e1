import { nodeRegistry } from "../../src/nodes/index.ts";
import { proveFix } from "../../src/state/assistant/prove-fix.ts";
import { failureIn } from "../../src/state/assistant/run-failure.ts";
import { playTask } from "./play-task.ts";
import { benchHost, type SeatFor } from "./seats.ts";
import type { AssistantTask, TaskKind } from "./task.ts";
import type { RepairTask } from "./tasks/repairs.ts";

/** How one task went. */
export interface Score {
  id: string;
  kind: TaskKind;
  group: string;
  /** What was wrong; nothing where it was right. */
  wrong: readonly string[];
  /** Whether something was proposed that a person could accept, and whether that has no error. */
  accepted: boolean;
  valid: boolean;
  proposed: boolean;
  repairs: number;
  tokens: number;
  /** Tokens of the first request to the model; 0 where it did not answer. */
  firstRequest: number;
}

/** Plays one task and judges it. */
export async function scoreTask(task: AssistantTask, seatFor: SeatFor): Promise<Score> {
  const { seat, close } = await seatFor(task);
  try {
    const outcome = await playTask(task, seat);
    const { canAccept, isValid, proposal, repairs, tokens, events, failure } = outcome;
    const wrong = await task.judge(outcome);
    const first = events.find((event) => event.type === "model-response");
    return {
      id: task.id,
      kind: task.kind,
      group: task.group,
      wrong: failure !== undefined && wrong.length > 0 ? [...wrong, failure] : wrong,
      accepted: canAccept,
      valid: isValid,
      proposed: proposal !== null,
      repairs,
      tokens,
      firstRequest: (first?.type === "model-response" && first.usage?.inputTokens) || 0,
    };
  } finally {
    await close();
  }
}

/** How often the proof of a repair that is right says so; repairs of runs in which nothing failed cannot be proven. */
export async function rightProofs(tasks: readonly RepairTask[]) {
  let [proven, tried] = [0, 0];
  for (const { runs, repaired } of tasks) {
    const [run] = runs;
    if (run === undefined || failureIn(run.events) === undefined) continue;
    tried += 1;
    const { signal } = new AbortController();
    const proof = await proveFix({ run, fixed: repaired, registry: nodeRegistry, host: benchHost(), signal });
    if (proof.kind === "fixed") proven += 1;
  }
  return { proven, tried };
}
