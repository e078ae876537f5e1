import { type ComponentType, lazy } from "react";
import { whenIdle } from "../../host/when-idle.ts";
import { ClosedDrawer } from "../../features/results/closed-drawer.tsx";
import { menuLabels } from "../../features/palette/menu-labels.ts";
import { typeAhead } from "../../features/palette/type-ahead.tsx";
import { preloadRuns } from "../../nodes/index.ts";
import { loadRunReducer } from "../../stores/run-store.ts";
import { type LazyPart, lazyPart } from "../../ui/feedback/lazy-part.tsx";
import { type Load, loadWhenIdle } from "./load-when-idle.ts";

/*
 * What the editor needs only after its canvas stands. Each part is loaded when it is first shown, and before that while
 * the browser has nothing else to do, so that the first click on any of them finds it there: what surrounds the canvas at
 * once, dialogs (`dialog-parts.ts`) once the page has been open for a while.
 */

/** Milliseconds after which dialogs are loaded, too: a short visit need not pay for them. */
const dialogsAfter = 10_000;

const surroundings: Load[] = [];

function part<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Meanwhile?: ComponentType<Props>,
): LazyPart<Props> {
  const lazily = lazyPart(load, Meanwhile);
  surroundings.push(lazily.preload);
  return lazily;
}

export const Inspector = part(async () => (await import("../../features/inspector/inspector.tsx")).Inspector);
export const NodeActions = part(async () => (await import("./node-actions.tsx")).NodeActions);
export const Splitter = part(async () => (await import("../../ui/layout/splitter.tsx")).Splitter);
export const RunDrawer = part(async () => (await import("./run-panes.tsx")).RunDrawer, ClosedDrawer);
export const RunPane = part(async () => (await import("./run-panes.tsx")).RunPane);
export const Palette = part(async () => (await import("../../features/palette/palette.tsx")).Palette);
export const OutlinePanel = part(async () => (await import("../../features/outline/outline-panel.tsx")).OutlinePanel);
export const CommandMenu = part(
  async () => (await import("../../features/palette/editor-menu.tsx")).EditorMenu,
  typeAhead(menuLabels.editor),
);
export const EditorDialogs = part(async () => (await import("./editor-dialogs.tsx")).EditorDialogs);
export const AssistantArea = lazyPart(async () => (await import("./assistant-area.tsx")).AssistantArea);

/** Once the canvas stands; it says nothing that cannot wait, and is left out when it cannot be loaded. */
export const PublishState = lazy(async () => {
  await new Promise<void>((resolve) => whenIdle(resolve));
  return import("../../features/versions/publish/publish-state.tsx").then(
    (loaded) => ({ default: loaded.PublishState }),
    () => ({ default: () => null }),
  );
});

/** What the first click, the first paste and the first run need besides. */
surroundings.unshift(
  () => import("../../stores/commands/paste.ts"),
  () => import("../../features/run/execute-run.ts"),
  () => import("../../host/browser-host.ts"),
  () => import("../../host/tab-memory.ts"),
  () => import("../../features/canvas/node-answers.tsx"),
  loadRunReducer,
  () => import("../../host/host-connections.ts"),
  preloadRuns,
);

/** What dialogs need. Whichever of it cannot be loaded now is asked for again, and its failure shown, when it is opened. */
async function preloadDialogs(): Promise<void> {
  const dialogs = await import("./editor-dialogs.tsx").catch(() => null);
  await dialogs?.preloadDialogs();
}

/** Loads what surrounds the canvas, and later the dialogs. */
export function preloadEditorParts(): () => void {
  void loadWhenIdle(surroundings);
  const timer = setTimeout(() => void preloadDialogs(), dialogsAfter);
  return () => clearTimeout(timer);
}
