import { type ComponentType, createContext, type ReactNode, Suspense, useContext, useMemo } from "react";
import type { RunState } from "../engine/run/run-state.ts";
import { type Citation, citationsOfRun } from "../nodes/tools/knowledge/citations.ts";

type Sources = ComponentType<{ citations: readonly Citation[] }>;

const SourcesContext = createContext<Sources | null>(null);

/** Hands in what shows citations, which belongs to another feature than the panels that show answers. */
export function AnswerSourcesProvider({ sources, children }: { sources: Sources; children: ReactNode }) {
  return <SourcesContext value={sources}>{children}</SourcesContext>;
}

/** What an answer rests on, to open and read; nothing where it cites nothing. */
export function AnswerSources({ citations }: { citations: readonly Citation[] }) {
  const Sources = useContext(SourcesContext);
  if (Sources === null || citations.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <Sources citations={citations} />
    </Suspense>
  );
}

/** The sources of a run's answer, once it is complete. */
export function RunSources({ run }: { run: RunState }) {
  const { steps, status } = run;
  const citations = useMemo(() => (status === "running" ? [] : citationsOfRun({ steps })), [steps, status]);
  return <AnswerSources citations={citations} />;
}
