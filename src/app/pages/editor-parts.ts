import { type ComponentType, lazy } from "react";
import { whenIdle } from "../../host/when-idle.ts";
import { ClosedDrawer } from "../../features/results/closed-drawer.tsx";
import { menuLabels } from "../../features/palette/menu-labels.ts";
import { typeAhead } from "../../features/palette/type-ahead.tsx";
import { preloadRuns } from "../../nodes/index.ts";
import type { PublishTestsProps } from "../../stores/publish-tests.ts";
import { loadRunReducer } from "../../stores/run-store.ts";
import { type LazyPart, lazyPart } from "../../ui/lazy-part.tsx";
import { MenuPanel } from "../../ui/menu.tsx";
import { FloatingPanel } from "../../ui/popover.tsx";
import { TooltipBubble } from "../../ui/tooltip.tsx";

/*
 * What the editor needs only after its canvas stands. Each part is loaded when it is first shown, and before that while
 * the browser has nothing else to do, so that the first click on any of them finds it there: what surrounds the canvas at
 * once, dialogs once the page has been open for a while.
 */

type Load = () => Promise<unknown>;

/** Milliseconds after which dialogs are loaded, too: a short visit need not pay for them. */
const dialogsAfter = 10_000;

const surroundings: Load[] = [];
const dialogs: Load[] = [];

function preloaded(loads: Load[]) {
  return <Props extends object>(
    load: () => Promise<ComponentType<Props>>,
    Meanwhile?: ComponentType<Props>,
  ): LazyPart<Props> => {
    const lazily = lazyPart(load, Meanwhile);
    loads.push(lazily.preload);
    return lazily;
  };
}

const part = preloaded(surroundings);
const dialog = preloaded(dialogs);

export const Inspector = part(async () => (await import("../../features/inspector/inspector.tsx")).Inspector);
export const NodeActions = part(async () => (await import("./node-actions.tsx")).NodeActions);
export const Splitter = part(async () => (await import("../../ui/splitter.tsx")).Splitter);
export const RunDrawer = part(async () => (await import("./run-panes.tsx")).RunDrawer, ClosedDrawer);
export const RunPane = part(async () => (await import("./run-panes.tsx")).RunPane);
export const Palette = part(async () => (await import("../../features/palette/palette.tsx")).Palette);
export const OutlinePanel = part(async () => (await import("../../features/outline/outline-panel.tsx")).OutlinePanel);
export const CommandMenu = part(
  async () => (await import("../../features/palette/editor-menu.tsx")).EditorMenu,
  typeAhead(menuLabels.editor),
);
export const ShortcutSheet = dialog(async () => (await import("../../features/palette/shortcut-sheet.tsx")).default);
export const RealModelDialog = dialog(
  async () => (await import("../../features/credentials/real-model-dialog.tsx")).default,
);
export const VersionsDialog = dialog(
  async () => (await import("../../features/versions/versions-dialog.tsx")).VersionsDialog,
);
export const PublishDialog = dialog(
  async () => (await import("../../features/versions/publish/publish-dialog.tsx")).PublishDialog,
);
export const publishDoors = [
  {
    value: "api",
    title: "API",
    Panel: dialog(async () => (await import("../../features/doors/api/api-panel.tsx")).ApiPanel),
  },
  {
    value: "chat",
    title: "Chat page",
    Panel: dialog(async () => (await import("../../features/doors/chat/chat-panel.tsx")).ChatPanel),
  },
  {
    value: "hook",
    title: "Webhook",
    Panel: dialog(async () => (await import("../../features/doors/hook/hook-panel.tsx")).HookPanel),
  },
  {
    value: "traces",
    title: "Traces",
    Panel: dialog(async () => (await import("../../features/activity/traces-panel.tsx")).TracesPanel),
  },
  {
    value: "mcp",
    title: "MCP",
    Panel: dialog(async () => (await import("../../features/doors/mcp/mcp-panel.tsx")).McpPanel),
  },
];
/** Only those who publish need it, and it brings the running of suites. */
export const PublishTests = lazyPart<PublishTestsProps>(
  async () => (await import("../../features/tests/publish-tests.tsx")).PublishTests,
  ({ children }) => children({ state: "checking", required: false, section: null, run: async () => "checking" }),
);
export const ServerStartDialog = dialog(
  async () => (await import("../../features/server-runs/server-start-dialog.tsx")).ServerStartDialog,
);
export const ConflictDialog = dialog(
  async () => (await import("../../features/versions/conflict-dialog.tsx")).ConflictDialog,
);
export const SettingsDialog = dialog(
  async () => (await import("../../features/editor/settings-dialog.tsx")).SettingsDialog,
);
export const PrivacyDialog = dialog(
  async () => (await import("../../features/privacy/privacy-dialog.tsx")).PrivacyDialog,
);
export const AssistantArea = lazyPart(async () => (await import("./assistant-area.tsx")).AssistantArea);
export const OpenapiDialog = lazyPart(
  async () => (await import("../../features/openapi/openapi-dialog.tsx")).OpenapiDialog,
);
export const ReviewDialog = dialog(async () => (await import("../../features/editor/review-dialog.tsx")).ReviewDialog);
export const ShareDialog = dialog(
  async () => (await import("../../features/library/share/share-dialog.tsx")).ShareDialog,
);
export const ImportReportDialog = dialog(
  async () => (await import("../../features/editor/import-report-dialog.tsx")).ImportReportDialog,
);
export const ImportIntoEditor = dialog(
  async () => (await import("../../features/library/import/import-into-editor.tsx")).ImportIntoEditor,
);

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
  MenuPanel.preload,
  FloatingPanel.preload,
  TooltipBubble.preload,
  () => import("../../stores/commands/paste.ts"),
  () => import("../../features/run/execute-run.ts"),
  () => import("../../host/browser-host.ts"),
  () => import("../../features/canvas/node-answers.tsx"),
  loadRunReducer,
  () => import("../../host/host-connections.ts"),
  preloadRuns,
);

/** Loads one after the other, each in an idle moment. */
async function loadWhenIdle(loads: Load[]): Promise<void> {
  for (let load = loads.shift(); load !== undefined; load = loads.shift()) {
    await new Promise<void>((resolve) => whenIdle(resolve));
    // What cannot be loaded now is asked for again, and its failure shown, when it is opened.
    await load().catch(() => {});
  }
}

/** Loads what surrounds the canvas, and later the dialogs. */
export function preloadEditorParts(): () => void {
  void loadWhenIdle(surroundings);
  const timer = setTimeout(() => void loadWhenIdle(dialogs), dialogsAfter);
  return () => clearTimeout(timer);
}
