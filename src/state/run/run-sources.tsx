import { useMemo } from "react";
import type { RunState } from "../../engine/run/run-state.ts";
import { citationsOfRun } from "../../nodes/knowledge/citations.ts";
import { AnswerSources } from "./answer-sources.tsx";

/** The sources of a run's answer, once it is complete. */
export function RunSources({ run }: { run: RunState }) {
  const { steps, status } = run;
  const citations = useMemo(() => (status === "running" ? [] : citationsOfRun({ steps })), [steps, status]);
  return <AnswerSources citations={citations} />;
}
