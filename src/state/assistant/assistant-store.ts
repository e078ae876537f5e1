import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { isOnePane } from "../editor/one-pane.ts";
import { panelStore } from "../editor/panel-store.ts";
import type { Desk, DeskState, Proposal } from "./desk.ts";
import { storedProposal } from "./stored-proposal.ts";
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
  /** In a window without room for both, the run panel or a node's settings stand in its place. */
  behind: boolean;
  /** It was opened on this page: what was said and proposed stays while the panel is closed. */
  begun: boolean;
  request: AssistantRequest | null;
  /** What it works on; null until its panel is there. */
  desk: Desk | null;
  /** It is at work, so what is proposed may grow. */
  running: boolean;
  /** The conversation that found and proposed what is here; null before the first request. */
  sessionId: string | null;
  /** The suite that prompts are improved for; null where the conversation is about something else. */
  improving: string | null;
  /** Of the open proposal; null where it was not measured. */
  measured: Measured | null;
  /** Of the open proposal; null where it was not tried. */
  proof: ProofState | null;
  toggle(): void;
  close(): void;
  /** Lets something else stand in its place, or takes the place back. */
  stepBehind(behind: boolean): void;
  /** Brings back what waits for the person in a workflow that was just opened: on a phone on the canvas, else in the panel. */
  resume(workflowId: string): void;
  /** Opens the panel and asks in a new conversation. */
  ask(text: string, options?: { improve?: string; runId?: string }): void;
  setDesk(state: DeskState): void;
  /** Drops what was found and proposed, once another workflow is open. */
  reset(): void;
}

const nothing = {
  proposal: null,
  verdict: null,
  desk: null,
  running: false,
  sessionId: null,
  improving: null,
  measured: null,
  proof: null,
};

/** The assistant's panel: one for the page, about the workflow that is open. */
export const assistantStore = createStore<AssistantState>()((set) => ({
  ...nothing,
  open: false,
  behind: false,
  begun: false,
  request: null,
  toggle: () => set((state) => ({ open: !isShown(state), behind: false, begun: true })),
  close: () => set({ open: false, behind: false }),
  stepBehind: (behind) => set({ behind }),
  resume: (workflowId) => {
    if (storedProposal(workflowId).read() === null) return;
    set({ begun: true, open: !isOnePane() });
    if (isOnePane()) panelStore.getState().close();
  },
  ask: (text, { improve, runId } = {}) =>
    set({
      open: true,
      behind: false,
      begun: true,
      request: { text, improve: improve ?? null, runId: runId ?? null },
    }),
  reset: () => set(nothing),
  setDesk: ({ proposal, verdict }) =>
    set((before) => ({
      proposal,
      verdict,
      // A proof and a measurement hold for what was tried.
      ...(sameDraft(before.proposal, proposal) ? {} : { proof: null, measured: null }),
    })),
}));

/** Whether its panel can be seen. */
export function isShown({ open, behind }: Pick<AssistantState, "open" | "behind">): boolean {
  return open && !behind;
}

/** Turns to the canvas where it and the panel cannot be seen at once. */
export function giveWay(): void {
  if (!isOnePane()) return;
  assistantStore.getState().close();
  panelStore.getState().close();
}

function sameDraft(a: Proposal | null, b: Proposal | null): boolean {
  return a !== null && b !== null && JSON.stringify(a.changes) === JSON.stringify(b.changes);
}

export function useAssistant<Value>(selector: (state: AssistantState) => Value): Value {
  return useStore(assistantStore, selector);
}
