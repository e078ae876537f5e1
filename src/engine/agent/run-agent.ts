import type { JsonObject } from "../json.ts";
import { RunError, type RunErrorData } from "../errors.ts";
import { startDeadline } from "../time/deadline.ts";
import type { Taint } from "../trust/taint.ts";
import { createSpendingLimit } from "../spending/spending-limit.ts";
import { type AgentFinish, budgetError } from "./ending.ts";
import { type AgentRun, createExecution } from "./execution.ts";
import { executeTurn } from "./turn/execute-turn.ts";
import { type FinishedTurn, finalizeTurn, keepTurn, metadataOf } from "./turn/finalize-turn.ts";
import { type AgentLoop, prepareTurn, readContext } from "./turn/prepare-turn.ts";

/**
 * How the loop ended. It never throws: failures, the time limit and Stop are the second form. `ending` is there when it
 * stopped early and gave what it had. `untrusted` is where the untrusted content came from that went into it.
 */
export type AgentOutcome = { untrusted: Taint } & (
  | ({ ok: true } & FinishedTurn)
  | { ok: false; finish: AgentFinish; error: RunErrorData; metadata: JsonObject }
);

/**
 * Runs the agent once: history, plan, rounds of iterations, output, memory. Failures of models and tools are handled
 * inside; what cannot be handled is the error of the outcome. A turn that failed or was stopped is remembered as incomplete.
 * Never rejects.
 */
export async function runAgent(asked: AgentRun): Promise<AgentOutcome> {
  const run = withBudget(asked);
  const deadline = startDeadline(run.host, run.signal, run.settings.timeoutMs, "The agent");
  const execution = createExecution(run, deadline);
  const { progress } = execution;
  let unsaved: AgentLoop | undefined;
  try {
    const loop = await prepareTurn(execution);
    unsaved = loop;
    deadline.signal.throwIfAborted();
    await readContext(loop);
    const result = await executeTurn(loop);
    const turn = await finalizeTurn(loop, result);
    return { ok: true, ...turn, untrusted: progress.untrusted };
  } catch (caught) {
    const error = failureData(caught, run.nodeId);
    const finish = execution.finishAfter(caught);
    if (unsaved) await keepTurn(unsaved, finish, error).catch(() => undefined);
    const metadata = metadataOf(execution, finish);
    return { ok: false, finish, error, metadata, untrusted: progress.untrusted };
  } finally {
    deadline.stop();
  }
}

/** The run under its agent's own spending limit as well, where the settings have one. */
function withBudget(run: AgentRun): AgentRun {
  const { maxCostUsd } = run.settings;
  if (maxCostUsd === null) return run;
  const { nodeId, spending = [] } = run;
  const budget = createSpendingLimit({
    maxUsd: maxCostUsd,
    refusal: (spentUsd) => budgetError(nodeId, spentUsd, maxCostUsd),
  });
  return { ...run, budget, spending: [budget, ...spending] };
}

function failureData(error: unknown, nodeId: string): RunErrorData {
  if (error instanceof RunError) return { nodeId, ...error.data };
  const cause = error instanceof Error ? error.message : String(error);
  const message = `The agent failed in an unexpected way: ${cause}`;
  return {
    code: "internal",
    message,
    hint: "Run it again. If it keeps happening, report it.",
    retryable: false,
    nodeId,
    cause,
  };
}
