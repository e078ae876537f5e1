import { type ComponentType, createContext, type ReactNode, useContext } from "react";
import type { Citation } from "../../nodes/knowledge/citations.ts";

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
  return <Sources citations={citations} />;
}
