import type { Json, JsonObject } from "../json.ts";
import { RunError, type RunErrorData } from "../run/errors.ts";
import { startDeadline } from "../time/deadline.ts";
import type { Taint } from "../trust/taint.ts";
import type { AgentEnding, AgentFinish, EarlyFinish } from "./ending.ts";
import { type AgentRun, createExecution, type Execution } from "./execution.ts";
import { keepTurn, saveTurn } from "./memory/turn-memory.ts";
import { executeTurn, type TurnResult } from "./turn/execute-turn.ts";
import { type AgentLoop, prepareTurn } from "./turn/prepare-turn.ts";

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

/**
 * Runs the agent once: history, plan, rounds of iterations, output, memory. Failures of models and tools are handled
 * inside; what cannot be handled is the error of the outcome. Never rejects.
 */
export async function runAgent(run: AgentRun): Promise<AgentOutcome> {
  const deadline = startDeadline(run.host, run.signal, run.settings.timeoutMs, "The agent");
  const execution = createExecution(run, deadline);
  const { progress } = execution;
  let unsaved: AgentLoop | undefined;
  try {
    const loop = await prepareTurn(execution);
    unsaved = loop;
    const result = await executeTurn(loop);
    unsaved = undefined;
    return await finalizeTurn(loop, result);
  } catch (caught) {
    const error = failureData(caught, run.nodeId);
    const finish = failureFinish(error, execution);
    // After Stop nothing is written any more.
    const keeps = finish !== "cancelled" && !run.signal.aborted;
    if (unsaved && keeps) await keepTurn(unsaved, finish).catch(() => undefined);
    const metadata = metadataOf(execution, finish);
    return { ok: false, finish, error, metadata, untrusted: progress.untrusted };
  } finally {
    deadline.stop();
  }
}

/** Writes the turn to the memory and makes the output. */
async function finalizeTurn(loop: AgentLoop, { value, text, ending }: TurnResult): Promise<AgentOutcome> {
  const { progress, memory } = loop;
  const finish = ending?.finish ?? "completed";
  if (await saveTurn(loop, text, ending?.finish))
    await memory.store.compact(memory.session, async (messages) => {
      const summary = await loop.askModel("summary", messages);
      return summary.text;
    });
  return { ok: true, finish, ending, output: outputOf(loop, value, finish), untrusted: progress.untrusted };
}

/** The `metadata` of the output (SPEC §3.2). */
function metadataOf({ run, progress }: Execution, finish: AgentFinish): JsonObject {
  return {
    iterations: progress.iterations,
    rounds: progress.round,
    toolsUsed: [...progress.toolsUsed],
    finishReason: finish,
    usage: { ...progress.usage },
    costUsd: progress.costUsd,
    durationMs: run.host.now() - progress.startedAt,
  };
}

/**
 * The agent's output (SPEC §3.2): response and metadata; the web pages (`sources`) and pictures (`images`, URLs) of the
 * answer where it has any; `full` adds tool calls, plan and reflections, `returnIntermediateSteps` adds every step.
 */
function outputOf(
  loop: AgentLoop,
  response: Json,
  finish: AgentFinish,
): { response: Json; metadata: JsonObject } & JsonObject {
  const { run, progress, conversation } = loop;
  const { outputFormat, returnIntermediateSteps } = run.settings;
  const { plan, reflections, steps } = progress;
  const said = conversation.turn.findLast((message) => message.role === "assistant");
  const toolCalls = progress.toolCalls.map((call): JsonObject => ({ ...call }));
  const sources = (said?.sources ?? []).map((source): JsonObject => ({ ...source }));
  const images = (said?.parts ?? []).flatMap((part) => (part.type === "image" ? [part.url] : []));
  return {
    response,
    ...(sources.length > 0 ? { sources } : {}),
    ...(images.length > 0 ? { images } : {}),
    metadata: metadataOf(loop, finish),
    ...(outputFormat === "full" ? { toolCalls, plan, reflections } : {}),
    ...(returnIntermediateSteps ? { steps } : {}),
  };
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

function failureFinish({ code }: RunErrorData, { deadline }: Execution): EarlyFinish {
  if (code === "cancelled") return "cancelled";
  if (deadline.signal.aborted) return "timeout";
  return code === "content_filter" ? "refused" : "error";
}
