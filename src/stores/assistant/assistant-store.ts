import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import type { DeskState, Proposal } from "./desk.ts";
import type { Proof } from "./prove-fix.ts";

/** What came of trying a proposal on the recorded failure. */
export type ProofState =
  { status: "running" } | { status: "done"; proof: Proof } | { status: "failed"; message: string };

interface AssistantState extends DeskState {
  open: boolean;
  /** It was opened on this page: what was said and proposed stays while the panel is closed. */
  begun: boolean;
  /** A request to be sent as soon as the panel is there. */
  wish: { text: string; fresh: boolean } | null;
  /** Of the open proposal; null where it was not tried. */
  proof: ProofState | null;
  /** Ids of the changes that are shown as one; the last that was clicked. */
  shown: string | null;
  toggle(): void;
  close(): void;
  /** Opens the panel and asks; `fresh`: in a new conversation. */
  ask(text: string, options?: { fresh?: boolean }): void;
  /** Takes the wish, once. */
  takeWish(): AssistantState["wish"];
  setDesk(state: DeskState): void;
}

const nothing: DeskState = { proposal: null, verdict: null };

/** The assistant's panel: one for the page, about the workflow that is open. */
export const assistantStore = createStore<AssistantState>()((set, get) => ({
  ...nothing,
  open: false,
  begun: false,
  wish: null,
  proof: null,
  shown: null,
  toggle: () => set(({ open }) => ({ open: !open, begun: true })),
  close: () => set({ open: false }),
  ask: (text, { fresh = true } = {}) => set({ open: true, begun: true, wish: { text, fresh } }),
  takeWish() {
    const { wish } = get();
    if (wish !== null) set({ wish: null });
    return wish;
  },
  setDesk: ({ proposal, verdict }) =>
    set((before) => ({
      proposal,
      verdict,
      shown: null,
      // A proof holds for what was proven.
      proof: sameDraft(before.proposal, proposal) ? before.proof : null,
    })),
}));

function sameDraft(a: Proposal | null, b: Proposal | null): boolean {
  return a !== null && b !== null && JSON.stringify(a.changes) === JSON.stringify(b.changes);
}

export function useAssistant<Value>(selector: (state: AssistantState) => Value): Value {
  return useStore(assistantStore, selector);
}
