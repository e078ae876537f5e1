import { useMemo } from "react";
import { useAssistant } from "../../state/assistant/assistant-store.ts";
import { applyChanges } from "../../state/assistant/changes.ts";
import { acceptChanges, rejectChanges } from "../../state/assistant/decide.ts";
import type { Proposal } from "../../state/assistant/desk.ts";
import { useDocumentStore, useEditor } from "../../state/editor/editor-context.tsx";

/** How a proposal is decided, wherever it is shown. */
interface Decision {
  /** Ids of all changes. */
  all: ReadonlySet<string>;
  /** They can be made to the workflow as it is now. */
  fits: boolean;
  /** They can be accepted as a whole. */
  acceptable: boolean;
  accept(ids: ReadonlySet<string>): void;
  reject(ids: ReadonlySet<string>): void;
}

export function useDecision(proposal: Proposal): Decision {
  const { context, registry } = useEditor();
  const document = useDocumentStore((state) => state.document);
  const desk = useAssistant((state) => state.desk);
  const running = useAssistant((state) => state.running);
  // What is made for a suite is accepted as it was measured: as a whole, and only when it does better.
  const measured = useAssistant((state) => state.improving === null || state.measured?.isBetter === true);
  const { changes, problems, base } = proposal;
  const fits = useMemo(
    () => document === base || applyChanges(document, changes, registry).ok,
    [document, base, changes, registry],
  );
  const all = useMemo(() => new Set(changes.map(({ id }) => id)), [changes]);
  return {
    all,
    fits,
    acceptable: !running && measured && fits && problems.length === 0,
    accept: (ids) => desk && acceptChanges(context, desk, proposal, ids),
    reject: (ids) => desk && rejectChanges(context, desk, proposal, ids),
  };
}
