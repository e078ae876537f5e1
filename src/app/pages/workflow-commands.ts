import { navigate } from "wouter/use-browser-location";
import type { ExportTarget } from "../../engine/export/export-target.ts";
import type { Command, CommandContext } from "../../stores/commands/command.ts";
import { assistantStore } from "../../stores/assistant/assistant-store.ts";
import { canAssist } from "../../stores/assistant/can-assist.ts";
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

/** Saves the workflow as a program for another library; what it does not have stands in its first lines. */
async function exportProgram({ document, registry, notify }: CommandContext, target: ExportTarget): Promise<void> {
  const [{ exportCode }, { fileName }, { saveFile }] = await Promise.all([
    import("../../engine/export/export-code.ts"),
    import("../../features/library/workflow-file.ts"),
    import("../../features/library/save-file.ts"),
  ]);
  const workflow = document.getState().document;
  const { code, notes } = exportCode(workflow, { target, registry });
  saveFile(fileName(workflow.name, "ts"), code, "text/typescript");
  if (notes.length === 0) return;
  const counted = notes.length === 1 ? "1 thing is" : `${notes.length} things are`;
  notify({ tone: "info", message: `${counted} not as in the studio`, hint: "The first lines of the file say what." });
}

/** Makes the open workflow the one that answers in the assistant's panel. */
async function useAsAssistant({ document, notify }: CommandContext): Promise<void> {
  const { keepAssistant } = await import("../../stores/assistant/open-assistant.ts");
  keepAssistant(document.getState().document.id);
  notify({
    tone: "info",
    message: "This workflow is the assistant now.",
    hint: "It answers wherever you open the panel.",
  });
}

/** What can be done with the open workflow as a whole. */
export const workflowCommands: readonly Command[] = [
  {
    id: "assistant",
    label: "Assistant",
    labelNow: () => (assistantStore.getState().open ? "Close the assistant" : "Assistant"),
    group: "View",
    icon: "sparkles",
    keys: ["mod+i"],
    when: () => true,
    run: () => assistantStore.getState().toggle(),
  },
  {
    id: "use-as-assistant",
    label: "Use as the assistant",
    group: "Workflow",
    icon: "sparkles",
    when: ({ document }) => canAssist(document.getState().document),
    run: useAsAssistant,
  },
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
    id: "import-report",
    label: "Import report",
    group: "Workflow",
    icon: "list",
    when: ({ document }) => document.getState().document.importReport !== undefined,
    run: () => show({ kind: "import-report" }),
  },
  {
    id: "add-from-openapi",
    label: "Add tools from an API (OpenAPI)",
    group: "Workflow",
    icon: "plug",
    when: () => true,
    run: () => show({ kind: "openapi" }),
  },
  {
    id: "export-workflow",
    label: "Export as JSON",
    group: "Workflow",
    icon: "download",
    when: () => true,
    run: exportWorkflow,
  },
  {
    id: "share-workflow",
    label: "Share as a template",
    group: "Workflow",
    icon: "share",
    when: () => true,
    run: () => show({ kind: "share" }),
  },
  {
    id: "export-ai-sdk",
    label: "Export as code (AI SDK)",
    group: "Workflow",
    icon: "download",
    when: () => true,
    run: (context) => exportProgram(context, "ai-sdk"),
  },
  {
    id: "export-openai-agents",
    label: "Export as code (OpenAI Agents SDK)",
    group: "Workflow",
    icon: "download",
    when: () => true,
    run: (context) => exportProgram(context, "openai-agents"),
  },
];
