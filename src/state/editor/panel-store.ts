import { z } from "zod/mini";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { stored } from "../shared/stored.ts";

export const panelTabs = ["chat", "run", "history", "memory"] as const;
export type PanelTab = (typeof panelTabs)[number];

/** The ways to look at a run, all within its one tab; `files` where it has some. */
export const runViews = ["steps", "waterfall", "logs", "files"] as const;
export type RunView = (typeof runViews)[number];

interface PanelState {
  open: boolean;
  tab: PanelTab;
  /** How the Run tab shows the run; kept in this browser. */
  view: RunView;
  /** Pixels of the drawer when it lies at the bottom, and when it stands at the right. */
  height: number;
  width: number;
  /** Pixels of a node's settings where they do not share the run panel's place. */
  settingsWidth: number;
  /** Where they do, they are in front. */
  settingsInFront: boolean;
  /** The step that the Steps and Waterfall views show in detail. */
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
  /** Opens a tab; a view of the run opens with its tab. */
  show(place: PanelTab | RunView): void;
  /** Opens the chat and puts the cursor into its input. */
  focusChat(): void;
  close(): void;
  /** Opens a model call at what was sent. */
  showSent(stepId: string): void;
  /** Told of a finished run: only the first of this browser is kept. */
  celebrate(runId: string): void;
  resize(size: { height?: number; width?: number; settingsWidth?: number }): void;
  /** Brings the settings of a node before the run panel, or the run panel before them, where they share a place. */
  showSettings(inFront: boolean): void;
  chooseStep(stepId: string | null): void;
}

const initial = {
  open: false,
  view: "steps" as RunView,
  height: 340,
  width: 440,
  settingsWidth: 360,
  stepsKnown: false,
  hasRun: false,
};
const kept = stored(
  "switchyard:panel",
  z.object({
    open: z.catch(z.boolean(), initial.open),
    view: z.catch(z.enum(runViews), initial.view),
    height: z.catch(z.number(), initial.height),
    width: z.catch(z.number(), initial.width),
    settingsWidth: z.catch(z.number(), initial.settingsWidth),
    stepsKnown: z.catch(z.boolean(), initial.stepsKnown),
    hasRun: z.catch(z.boolean(), initial.hasRun),
  }),
);
/** Without storage the drawer starts closed and in its usual size. */
const keep = ({ open, view, height, width, settingsWidth, stepsKnown, hasRun }: typeof initial) =>
  kept.write({ open, view, height, width, settingsWidth, stepsKnown, hasRun });

const isView = (place: PanelTab | RunView): place is RunView => runViews.some((view) => view === place);

/** The run drawer: one for the whole page, its size kept in this browser. */
export const panelStore = createStore<PanelState>()((set, get) => ({
  ...initial,
  ...kept.read(),
  tab: "chat",
  settingsInFront: false,
  stepId: null,
  atSent: false,
  firstRun: null,
  chatFocus: 0,
  show: (place) => {
    set({ open: true, settingsInFront: false, ...(isView(place) ? { tab: "run", view: place } : { tab: place }) });
    const { tab, view } = get();
    if (tab === "run" && view === "steps") set({ stepsKnown: true });
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
  showSettings: (inFront) => {
    if (get().settingsInFront !== inFront) set({ settingsInFront: inFront });
  },
  chooseStep: (stepId) => set({ stepId, atSent: false }),
}));

export function usePanelStore<Value>(selector: (state: PanelState) => Value): Value {
  return useStore(panelStore, selector);
}
