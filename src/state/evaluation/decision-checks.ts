import { useMemo } from "react";
import { useStore } from "zustand";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { CheckableCall } from "../../evaluation/steps/checkable-calls.ts";
import type { CheckEnd } from "../../evaluation/steps/check-calls.ts";
import type { Sample } from "../../evaluation/steps/sample-call.ts";
import { type Stability, stabilityOf } from "../../evaluation/steps/stability.ts";

/** The model calls of one run, made again to see how stable their decisions are. */
export interface DecisionCheck {
  status: "running" | CheckEnd;
  calls: readonly CheckableCall[];
  /** How often each call is to be made again. */
  trials: number;
  /** By call id. */
  samples: Readonly<Record<string, readonly Sample[]>>;
  /** Whether this browser may keep it: not where the workflow masks what is said, since answers come as they are. */
  isKept: boolean;
  stop(): void;
}

type Checks = Readonly<Record<string, DecisionCheck>>;

const store = createStore<{ checks: Checks }>()(() => ({ checks: {} }));

/** Checks made in this tab or kept by this browser, by run. The answers are in no database. */
export const decisionChecks: Pick<StoreApi<{ checks: Checks }>, "getState" | "getInitialState" | "subscribe"> = store;

/** Puts a check in the place of the run's former one. */
export function beginCheck(runId: string, check: DecisionCheck): void {
  store.setState(({ checks }) => ({ checks: { ...checks, [runId]: check } }));
}

/** Puts a check of an earlier visit there, unless the run has one. */
export function restoreCheck(runId: string, check: DecisionCheck): void {
  if (!store.getState().checks[runId]) beginCheck(runId, check);
}

function change(runId: string, to: (check: DecisionCheck) => Partial<DecisionCheck>): void {
  store.setState(({ checks }) => {
    const check = checks[runId];
    return check ? { checks: { ...checks, [runId]: { ...check, ...to(check) } } } : {};
  });
}

export function addSample(runId: string, callId: string, sample: Sample): void {
  change(runId, ({ samples }) => ({ samples: { ...samples, [callId]: [...(samples[callId] ?? []), sample] } }));
}

export function endCheck(runId: string, status: CheckEnd): void {
  change(runId, () => ({ status }));
}

/** The check of a run; undefined where none was made. */
export function useDecisionCheck(runId: string): DecisionCheck | undefined {
  return useStore(store, ({ checks }) => checks[runId]);
}

/** How stable a call's decision has proved; undefined until it was made again. */
export function useStability(runId: string, callId: string | undefined): Stability | undefined {
  const recorded = useStore(
    store,
    ({ checks }) => checks[runId]?.calls.find((call) => call.callId === callId)?.recorded,
  );
  const samples = useStore(store, ({ checks }) => checks[runId]?.samples[callId ?? ""]);
  return useMemo(() => recorded && samples && stabilityOf(recorded, samples), [recorded, samples]);
}
