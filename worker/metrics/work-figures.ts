import type { RunEvent, RunOutcome } from "../../src/engine/run/events.ts";
import type { SqlDoor } from "../sql-door.ts";
import type { Metric } from "./open-metrics.ts";

const nothing = {
  runsCompleted: 0,
  runsFailed: 0,
  runsCancelled: 0,
  modelCalls: 0,
  modelFailures: 0,
  toolCalls: 0,
  toolFailures: 0,
  inputTokens: 0,
  outputTokens: 0,
  /** US dollars, of calls whose price is known. */
  cost: 0,
  statements: 0,
  /** Seconds for which statements waited for their answer, together. */
  databaseSeconds: 0,
};

/** What a process has done since it began: sums without a name of anybody or anything. */
export type WorkFigures = typeof nothing;

export function noWork(): WorkFigures {
  return { ...nothing };
}

/** Adds what was done; with `before`, only what came after. */
export function addWork(sum: WorkFigures, work: WorkFigures, before: WorkFigures = nothing): void {
  for (const name of Object.keys(nothing) as (keyof WorkFigures)[]) sum[name] += work[name] - before[name];
}

const endings = {
  completed: "runsCompleted",
  failed: "runsFailed",
  cancelled: "runsCancelled",
} as const satisfies Record<RunOutcome, keyof WorkFigures>;

/** Counts an event of a run as it happens; what a resumed run is served from its log was counted before. */
export function countEvent(figures: WorkFigures, event: RunEvent): void {
  if (event.replayed) return;
  switch (event.type) {
    case "run-end":
      figures[endings[event.outcome]] += 1;
      break;
    case "model-response":
      figures[event.error ? "modelFailures" : "modelCalls"] += 1;
      countUse(figures, event);
      break;
    case "embedding":
    case "rerank":
    case "transcription":
      figures.modelCalls += 1;
      countUse(figures, event);
      break;
    case "tool-call-end":
      figures[event.ok ? "toolCalls" : "toolFailures"] += 1;
      break;
    default:
  }
}

function countUse(
  figures: WorkFigures,
  { usage, costUsd }: { usage?: { inputTokens: number; outputTokens: number }; costUsd: number | null },
): void {
  figures.inputTokens += usage?.inputTokens ?? 0;
  figures.outputTokens += usage?.outputTokens ?? 0;
  figures.cost += costUsd ?? 0;
}

/** The same door, with its statements and their time counted. */
export function countStatements(door: SqlDoor, figures: WorkFigures): SqlDoor {
  return {
    ...door,
    async ask(statement, parameters) {
      const began = performance.now();
      try {
        return await door.ask(statement, parameters);
      } finally {
        figures.statements += 1;
        figures.databaseSeconds += (performance.now() - began) / 1_000;
      }
    },
  };
}

export function workMetrics(figures: WorkFigures): Metric[] {
  const counter = (name: string, help: string, values: Metric["values"]): Metric => ({
    name: `switchyard_${name}`,
    kind: "counter",
    help,
    values,
  });
  const byOutcome = (values: Record<string, number>) =>
    Object.entries(values).map(([outcome, value]) => ({ labels: { outcome }, value }));
  return [
    counter(
      "runs_ended",
      "Runs that ended on workers.",
      byOutcome({ completed: figures.runsCompleted, failed: figures.runsFailed, cancelled: figures.runsCancelled }),
    ),
    counter(
      "model_calls",
      "Calls of models and embeddings.",
      byOutcome({ ok: figures.modelCalls, failed: figures.modelFailures }),
    ),
    counter("tool_calls", "Calls of tools.", byOutcome({ ok: figures.toolCalls, failed: figures.toolFailures })),
    counter("tokens", "Tokens of model calls.", [
      { labels: { direction: "input" }, value: figures.inputTokens },
      { labels: { direction: "output" }, value: figures.outputTokens },
    ]),
    counter("cost_dollars", "US dollars of model calls whose price is known.", [{ value: figures.cost }]),
    counter("worker_statements", "Statements that workers asked of the database.", [{ value: figures.statements }]),
    counter("worker_database_seconds", "Time that workers waited for answers of the database.", [
      { value: figures.databaseSeconds },
    ]),
  ];
}
