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
  /** Pixels of a node's settings where they do not share the run panel's place. */
  settingsWidth: number;
  /** Where they do, they are in front. */
  settingsInFront: boolean;
  /** The step that the Steps and Waterfall tabs show in detail. */
  stepId: string | null;
  /** Counts requests to type into the chat; its input takes the focus on each. */
  chatFocus: number;
  /** Nobody needs to be told of the steps any more: they have been opened in this browser, or that was declined. */
  stepsKnown: boolean;
  show(tab: PanelTab): void;
  /** Opens the chat and puts the cursor into its input. */
  focusChat(): void;
  close(): void;
  knowSteps(): void;
  resize(size: { height?: number; width?: number; settingsWidth?: number }): void;
  /** Brings the settings of a node before the run panel, or the run panel before them, where they share a place. */
  showSettings(inFront: boolean): void;
  chooseStep(stepId: string | null): void;
}

const initial = { open: false, height: 340, width: 440, settingsWidth: 360, stepsKnown: false };
const kept = stored(
  "switchyard:panel",
  z.object({
    open: z.catch(z.boolean(), initial.open),
    height: z.catch(z.number(), initial.height),
    width: z.catch(z.number(), initial.width),
    settingsWidth: z.catch(z.number(), initial.settingsWidth),
    stepsKnown: z.catch(z.boolean(), initial.stepsKnown),
  }),
);
/** Without storage the drawer starts closed and in its usual size. */
const keep = ({ open, height, width, settingsWidth, stepsKnown }: typeof initial) =>
  kept.write({ open, height, width, settingsWidth, stepsKnown });

/** The run drawer: one for the whole page, its size kept in this browser. */
export const panelStore = createStore<PanelState>()((set, get) => ({
  ...initial,
  ...kept.read(),
  tab: "chat",
  settingsInFront: false,
  stepId: null,
  chatFocus: 0,
  show: (tab) => {
    set({ open: true, tab, settingsInFront: false, ...(tab === "steps" ? { stepsKnown: true } : {}) });
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
  knowSteps: () => {
    set({ stepsKnown: true });
    keep(get());
  },
  resize: (size) => {
    set(size);
    keep(get());
  },
  showSettings: (inFront) => {
    if (get().settingsInFront !== inFront) set({ settingsInFront: inFront });
  },
  chooseStep: (stepId) => set({ stepId }),
}));

export function usePanelStore<Value>(selector: (state: PanelState) => Value): Value {
  return useStore(panelStore, selector);
}
