import { type ComponentType, createContext, type ReactNode, Suspense, useContext, useMemo } from "react";
import type { RunState } from "../engine/run/run-state.ts";
import { type Citation, citationsOfRun } from "../nodes/tools/knowledge/citations.ts";

/** What shows citations; it belongs to another feature than the panels that show answers, so the page hands it in. */
export interface SourcesSlot {
  Sources: ComponentType<{ citations: readonly Citation[] }>;
}

const SourcesContext = createContext<SourcesSlot>({ Sources: () => null });

/** `slot` must stay the same object. */
export function AnswerSourcesProvider({ slot, children }: { slot: SourcesSlot; children: ReactNode }) {
  return <SourcesContext value={slot}>{children}</SourcesContext>;
}

/** What an answer rests on, to open and read; nothing where it cites nothing. */
export function AnswerSources({ citations }: { citations: readonly Citation[] }) {
  const { Sources } = useContext(SourcesContext);
  if (citations.length === 0) return null;
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
