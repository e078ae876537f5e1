import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { isOnePane } from "../editor/one-pane.ts";
import type { DeskState, Proposal } from "./desk.ts";
import type { Proof } from "./prove-fix.ts";

/** What came of trying a proposal on the recorded failure. */
export type ProofState =
  | { status: "running" }
  | { status: "done"; proof: Proof }
  | { status: "failed"; message: string };

/** What running a suite on both versions has shown. */
export interface Measured {
  isBetter: boolean;
  words: string;
}

/** A request to be sent as soon as the panel is there; `improve` is a suite to improve the prompts for. */
export interface AssistantRequest {
  text: string;
  /** The run that it is about; its id is not a part of the words. */
  runId: string | null;
  improve: string | null;
}

interface AssistantState extends DeskState {
  open: boolean;
  /** It was opened on this page: what was said and proposed stays while the panel is closed. */
  begun: boolean;
  request: AssistantRequest | null;
  /** The suite that prompts are improved for; null where the conversation is about something else. */
  improving: string | null;
  /** Of the open proposal; null where it was not measured. */
  measured: Measured | null;
  /** Of the open proposal; null where it was not tried. */
  proof: ProofState | null;
  toggle(): void;
  close(): void;
  /** Opens the panel and asks in a new conversation. */
  ask(text: string, options?: { improve?: string; runId?: string }): void;
  setDesk(state: DeskState): void;
  /** Drops what was found and proposed, once another workflow is open. */
  reset(): void;
}

const nothing: DeskState = { proposal: null, verdict: null };

/** The assistant's panel: one for the page, about the workflow that is open. */
export const assistantStore = createStore<AssistantState>()((set) => ({
  ...nothing,
  open: false,
  begun: false,
  request: null,
  improving: null,
  measured: null,
  proof: null,
  toggle: () => set(({ open }) => ({ open: !open, begun: true })),
  close: () => set({ open: false }),
  ask: (text, { improve, runId } = {}) =>
    set({ open: true, begun: true, request: { text, improve: improve ?? null, runId: runId ?? null } }),
  reset: () => set({ ...nothing, improving: null, measured: null, proof: null }),
  setDesk: ({ proposal, verdict }) =>
    set((before) => ({
      proposal,
      verdict,
      // A proof and a measurement hold for what was tried.
      ...(sameDraft(before.proposal, proposal) ? {} : { proof: null, measured: null }),
    })),
}));

/** Makes room for the canvas where it and the panel cannot be seen at once. */
export function giveWay(): void {
  if (isOnePane()) assistantStore.getState().close();
}

function sameDraft(a: Proposal | null, b: Proposal | null): boolean {
  return a !== null && b !== null && JSON.stringify(a.changes) === JSON.stringify(b.changes);
}

export function useAssistant<Value>(selector: (state: AssistantState) => Value): Value {
  return useStore(assistantStore, selector);
}
