import { navigate } from "wouter/use-browser-location";
import type { Command, CommandContext } from "../../stores/commands/command.ts";
import { editorDialogStore } from "../../stores/editor-dialog-store.ts";

const { show } = editorDialogStore.getState();

async function exportWorkflow({ document, notify }: CommandContext): Promise<void> {
  const [{ toWorkflowFile }, { saveFile }] = await Promise.all([
    import("../../features/library/workflow-file.ts"),
    import("../../features/library/save-file.ts"),
  ]);
  const file = toWorkflowFile(document.getState().document);
  saveFile(file.name, file.text);
  if (file.warning) notify({ tone: "info", ...file.warning });
}

/** What can be done with the open workflow as a whole. */
export const workflowCommands: readonly Command[] = [
  {
    id: "publish-workflow",
    label: "Publish",
    group: "Workflow",
    icon: "rocket",
    when: () => true,
    run: () => show({ kind: "publish" }),
  },
  {
    id: "workflow-activity",
    label: "Activity",
    group: "Workflow",
    icon: "chart-column",
    when: () => true,
    run: ({ document }) => navigate(`/activity/${document.getState().document.id}`),
  },
  {
    id: "version-history",
    label: "Version history",
    group: "Workflow",
    icon: "history",
    when: () => true,
    run: () => show({ kind: "versions" }),
  },
  {
    id: "workflow-settings",
    label: "Settings and variables",
    group: "Workflow",
    icon: "settings",
    when: () => true,
    run: () => show({ kind: "settings" }),
  },
  {
    id: "workflow-privacy",
    label: "Privacy",
    group: "Workflow",
    icon: "eye-off",
    when: () => true,
    run: () => show({ kind: "privacy" }),
  },
  {
    id: "import-workflow",
    label: "Import JSON",
    group: "Workflow",
    icon: "upload",
    when: () => true,
    run: () => show({ kind: "import" }),
  },
  {
    id: "export-workflow",
    label: "Export as JSON",
    group: "Workflow",
    icon: "download",
    when: () => true,
    run: exportWorkflow,
  },
];
