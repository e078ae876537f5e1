import { MessageAhead } from "../../features/chat/message-ahead.tsx";
import { PanelOnItsWay } from "../../ui/feedback/on-its-way.tsx";
import { lazyPart } from "../../ui/feedback/lazy-part.tsx";

/* What stands around the canvas of the editor, in one piece that is loaded once the canvas stands. */

const load = () => import("./workbench.tsx");

export const Inspector = lazyPart(async () => (await load()).Inspector, PanelOnItsWay);
export const NodeRuns = lazyPart(async () => (await load()).NodeRuns);
export const OutlinePanel = lazyPart(async () => (await load()).OutlinePanel, PanelOnItsWay);
export const Palette = lazyPart(async () => (await load()).Palette, PanelOnItsWay);
export const RunDrawer = lazyPart(async () => (await load()).RunDrawer, MessageAhead);
export const RunPane = lazyPart(async () => (await load()).RunPane, PanelOnItsWay);

/** So that the first click finds it there. Never rejects. */
export async function preloadWorkbench(): Promise<void> {
  await Promise.all([Inspector, NodeRuns, OutlinePanel, Palette, RunDrawer, RunPane].map((part) => part.preload()));
}
