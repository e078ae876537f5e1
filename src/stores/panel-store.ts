import { z } from "zod/mini";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { stored } from "../browser/stored.ts";

export const panelTabs = ["chat", "steps", "waterfall", "logs", "history", "memory"] as const;
export type PanelTab = (typeof panelTabs)[number];

interface PanelState {
  open: boolean;
  tab: PanelTab;
  /** Pixels of the drawer when it lies at the bottom, and when it stands at the right. */
  height: number;
  width: number;
  /** The step that the Steps and Waterfall tabs show in detail. */
  stepId: string | null;
  /** That step is a model call, and what was sent to the model is to come into view. */
  atSent: boolean;
  /** Counts requests to type into the chat; its input takes the focus on each. */
  chatFocus: number;
  /** Nobody needs to be told of the steps any more: they have been opened in this browser. */
  stepsKnown: boolean;
  /** The first finished run of this browser, and when it was seen to have finished, by `performance.now()`. */
  firstRun: { runId: string; at: number } | null;
  /** This browser has had its first finished run. */
  hasRun: boolean;
  show(tab: PanelTab): void;
  /** Opens the chat and puts the cursor into its input. */
  focusChat(): void;
  close(): void;
  /** Opens a model call at what was sent. */
  showSent(stepId: string): void;
  /** Told of a finished run: only the first of this browser is kept. */
  celebrate(runId: string): void;
  resize(size: { height?: number; width?: number }): void;
  chooseStep(stepId: string | null): void;
}

const initial = { open: false, height: 340, width: 440, stepsKnown: false, hasRun: false };
const kept = stored(
  "switchyard:panel",
  z.object({
    open: z.catch(z.boolean(), initial.open),
    height: z.catch(z.number(), initial.height),
    width: z.catch(z.number(), initial.width),
    stepsKnown: z.catch(z.boolean(), initial.stepsKnown),
    hasRun: z.catch(z.boolean(), initial.hasRun),
  }),
);
/** Without storage the drawer starts closed and in its usual size. */
const keep = ({ open, height, width, stepsKnown, hasRun }: typeof initial) =>
  kept.write({ open, height, width, stepsKnown, hasRun });

/** The run drawer: one for the whole page, its size kept in this browser. */
export const panelStore = createStore<PanelState>()((set, get) => ({
  ...initial,
  ...kept.read(),
  tab: "chat",
  stepId: null,
  atSent: false,
  firstRun: null,
  chatFocus: 0,
  show: (tab) => {
    set({ open: true, tab, ...(tab === "steps" ? { stepsKnown: true } : {}) });
    keep(get());
  },
  focusChat: () => {
    get().show("chat");
    set((state) => ({ chatFocus: state.chatFocus + 1 }));
  },
  close: () => {
    set({ open: false });
    keep(get());
  },
  showSent: (stepId) => {
    set({ stepId, atSent: true });
    get().show("steps");
  },
  celebrate: (runId) => {
    if (get().hasRun) return;
    set({ hasRun: true, firstRun: { runId, at: performance.now() } });
    keep(get());
  },
  resize: (size) => {
    set(size);
    keep(get());
  },
  chooseStep: (stepId) => set({ stepId, atSent: false }),
}));

export function usePanelStore<Value>(selector: (state: PanelState) => Value): Value {
  return useStore(panelStore, selector);
}
