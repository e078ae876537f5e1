import { assistantStore, isShown } from "../assistant/assistant-store.ts";
import { isOnePane } from "./one-pane.ts";
import { panelStore } from "./panel-store.ts";

/** The run panel stands at the right: beside the canvas in a wide window, and wherever a panel below would leave it too low. */
export const dockAtRight = "(min-width: 1280px), (orientation: landscape)";

/** The settings of a node and the run panel fit beside half a window of canvas; otherwise they share one place. */
export const roomForBoth = (besideAssistant: boolean) =>
  besideAssistant ? "(min-width: 1952px)" : "(min-width: 1700px)";

/** Either of them fits beside half a window of canvas and the assistant; otherwise they and the assistant take turns. */
export const roomBesideAssistant = "(min-width: 1408px)";

/** Of the canvas's pane on a phone, where the settings stand below it. */
export const phoneShare = 0.62;

const matches = (query: string) => typeof matchMedia === "function" && matchMedia(query).matches;

/** Pixels at the right and at the bottom of the canvas that the settings of a node take once one is chosen and none is yet. */
export function roomOfSettings(canvasHeight: number): { right: number; bottom: number } {
  const { open, settingsWidth, height } = panelStore.getState();
  if (isOnePane()) return { right: 0, bottom: canvasHeight * phoneShare };
  const share = open && !matches(roomForBoth(isShown(assistantStore.getState())));
  if (share) return { right: 0, bottom: 0 };
  return matches(dockAtRight) ? { right: settingsWidth, bottom: 0 } : { right: 0, bottom: height };
}
