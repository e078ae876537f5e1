import type { ComponentType } from "react";
import type { PublishTestsProps } from "../../stores/publish-tests.ts";
import { type LazyPart, lazyPart } from "../../ui/feedback/lazy-part.tsx";
import type { Load } from "./load-when-idle.ts";

/* The dialogs of the editor, each loaded when it is first shown, or before that with the others of `dialogLoads`. */

/** Loads the dialogs ahead. */
export const dialogLoads: Load[] = [];

function dialog<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  const lazily = lazyPart(load);
  dialogLoads.push(lazily.preload);
  return lazily;
}

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
export const PublishTrust = dialog(async () => (await import("../../features/doors/publish-trust.tsx")).PublishTrust);
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
