import { definitionOf } from "../../engine/document/can-connect.ts";
import { offeredTypes } from "../../engine/document/define-node.ts";
import { addNode } from "../../state/commands/add-node.ts";
import { labelNow, shownKey } from "../../state/commands/command.ts";
import { useEditor } from "../../state/editor/editor-context.tsx";
import { showNode } from "../../state/editor/show-node.ts";
import { startOf, useConnectors } from "../../state/editor/connectors.ts";
import type { MenuGroup } from "./rank-entries.ts";
import { useWorkflowGroup } from "./workflow-entries.ts";

/** Everything by name: actions that can be done now, nodes to go to, nodes to add, workflows to open. */
export function useMenuGroups(search: string): MenuGroup[] {
  const { commands, context, registry, document, canvas, workflowId } = useEditor();
  const { past, future, document: workflow } = document.getState();
  const workflows = useWorkflowGroup(search, workflowId);
  const connectors = useConnectors(search.trim() !== "");
  /** What undo would take back, and redo do again. */
  const steps: Readonly<Record<string, string | undefined>> = { undo: past.at(-1)?.label, redo: future.at(-1)?.label };
  const possible = commands.filter((command) => command.id !== "command-menu" && command.when(context));
  return [
    {
      heading: "Actions",
      entries: possible.map((command) => ({
        id: `action ${command.id}`,
        title: labelNow(command, context),
        beside: [command.label, "action"],
        icon: command.icon,
        detail: steps[command.id],
        keys: shownKey(command),
        perform: () => void command.run(context),
      })),
    },
    {
      heading: "Go to a node",
      of: "existing",
      entries: Object.values(workflow.nodes).map(({ id, title, type }) => {
        const definition = definitionOf(registry, type);
        return {
          id: `go ${id}`,
          title,
          beside: ["go to", definition?.title ?? type],
          icon: definition?.icon ?? "circle-question-mark",
          detail: definition?.title,
          perform: () => showNode(canvas, id),
        };
      }),
    },
    {
      heading: "Add a node",
      of: "new",
      entries: offeredTypes(registry).map(({ type, title, summary, keywords, icon }) => ({
        id: `add ${type}`,
        title,
        beside: ["add", type, summary],
        called: keywords,
        icon,
        detail: summary,
        perform: () => void addNode(context, { type }),
      })),
    },
    {
      heading: "Add a connector",
      of: "new",
      entries: connectors.flatMap((choice) =>
        (["tool", "step"] as const).map((use) => ({
          id: `connect ${use} ${choice.id}`,
          title: `${choice.connector.title}: ${choice.operation.title}`,
          beside: ["add", use, ...choice.beside],
          icon: choice.connector.icon,
          detail: use === "tool" ? "Tool for an agent" : "Step of the flow",
          perform: () => void addNode(context, startOf(choice, use)),
        })),
      ),
    },
    workflows,
  ];
}
