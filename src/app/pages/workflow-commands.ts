import { navigate } from "wouter/use-browser-location";
import type { ExportTarget } from "../../export/export-target.ts";
import type { Services } from "../../services/services.ts";
import { missingCodeHint } from "../../services/missing-code.ts";
import type { Command, CommandContext } from "../../state/commands/command.ts";
import { assistantStore, isShown } from "../../state/assistant/assistant-store.ts";
import { canAssist } from "../../state/assistant/can-assist.ts";
import { editorDialogStore } from "../../state/editor/editor-dialog-store.ts";
import { exportWorkflow } from "./export-workflow.ts";
import { useAsAssistant } from "./use-as-assistant.ts";

const { show } = editorDialogStore.getState();

const exportAs = (target: ExportTarget) =>
  async function run(context: CommandContext): Promise<void> {
    const loaded = await import("./export-program.ts").catch(() => null);
    if (loaded) return loaded.exportProgram(context, target);
    const action = { label: "Try again", onClick: () => void run(context) };
    context.notify({ tone: "error", message: "The export could not be loaded.", hint: missingCodeHint, action });
  };

/** What can be done with the open workflow as a whole. */
export const workflowCommands = ({ files }: Pick<Services, "files">): readonly Command[] => [
  {
    id: "assistant",
    label: "Assistant",
    labelNow: () => (isShown(assistantStore.getState()) ? "Close the assistant" : "Assistant"),
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
    run: (context) => exportWorkflow(context, files),
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
    run: exportAs("ai-sdk"),
  },
  {
    id: "export-openai-agents",
    label: "Export as code (OpenAI Agents SDK)",
    group: "Workflow",
    icon: "download",
    when: () => true,
    run: exportAs("openai-agents"),
  },
];
