import type { Json } from "../json.ts";
import type { Usage } from "../model/chat-model.ts";
import type { Pauser } from "../run/pauser.ts";
import type { Deadline } from "../time/deadline.ts";
import type { AgentRun } from "./agent-run.ts";
import { countUsage, type Progress } from "./turn/progress.ts";

/** One execution of an agent: what it was given, its time limit, and what it has done so far. */
export interface Execution {
  run: AgentRun;
  deadline: Deadline;
  progress: Progress;
}

/** Stops the time limits of this agent, and of all agents that wait for it, while a person is asked. */
export function pausedWhile<Value>({ run, deadline }: Execution, wait: () => Promise<Value>): Promise<Value> {
  const own = () => deadline.pausedWhile(wait);
  return run.pausedWhile ? run.pausedWhile(own) : own();
}

/** Counts tokens and US dollars, also for the agent that called this one as a tool. */
export function addUsage({ run, progress }: Execution, usage: Usage | undefined, costUsd: number | null): void {
  countUsage(progress, usage, costUsd);
  run.addUsage?.(usage ?? { inputTokens: 0, outputTokens: 0 }, costUsd);
}

/**
 * Undefined if the run does not pause at this place; otherwise a promise of the input as a person edited it. Waiting does not
 * count towards the agent's time limit. Rejects when the run is stopped.
 */
export function hold(
  execution: Execution,
  place: Omit<Parameters<Pauser["hold"]>[0], "nodeId">,
): Promise<Json | undefined> | undefined {
  const { run, deadline } = execution;
  const released = run.pauser?.hold(
    { ...place, nodeId: run.nodeId },
    { emit: run.emit, signal: deadline.signal, pausedWhile: (wait) => pausedWhile(execution, wait) },
  );
  return released?.then(({ input }) => input);
}
