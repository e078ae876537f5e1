import { useQuery } from "@tanstack/react-query";
import { Command as Cmdk } from "cmdk";
import type { ReactNode } from "react";
import { useLocation } from "wouter";
import { definitionOf } from "../../engine/document/can-connect.ts";
import { addNode } from "../../stores/commands/add-node.ts";
import { labelNow, shownKey } from "../../stores/commands/command.ts";
import { useEditor, useServices } from "../../stores/editor-context.tsx";
import { showNode } from "../../stores/show-node.ts";
import { Icon } from "../../ui/icon.tsx";
import { Kbd } from "../../ui/kbd.tsx";

const headings =
  "[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-muted";

function Entry({
  value,
  keywords,
  icon,
  detail,
  keys,
  onSelect,
  children,
}: {
  value: string;
  keywords?: string[];
  icon: string;
  detail?: string;
  keys?: string;
  onSelect: () => void;
  children: ReactNode;
}) {
  return (
    <Cmdk.Item
      value={value}
      keywords={keywords}
      onSelect={onSelect}
      className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2 text-sm data-[selected=true]:bg-hover"
    >
      <span className="text-muted">
        <Icon name={icon} />
      </span>
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {detail !== undefined && <span className="max-w-56 truncate text-xs text-muted">{detail}</span>}
      {keys !== undefined && <Kbd keys={keys} />}
    </Cmdk.Item>
  );
}

/** The account's other workflows; none while they cannot be listed. */
function useOtherWorkflows() {
  const { workflows } = useServices();
  const { workflowId } = useEditor();
  const { data } = useQuery({ queryKey: ["workflows"], queryFn: () => workflows.list() });
  return (data ?? []).filter(({ id }) => id !== workflowId);
}

/** Everything by name: actions that can be done now, nodes to add, nodes to go to, workflows to open. */
export default function CommandMenu({ onClose }: { onClose: () => void }) {
  const { commands, context, registry, document, canvas } = useEditor();
  const { past, future, document: workflow } = document.getState();
  const nodes = Object.values(workflow.nodes);
  const others = useOtherWorkflows();
  const [, navigate] = useLocation();
  /** What undo would take back, and redo do again. */
  const steps: Readonly<Record<string, string | undefined>> = { undo: past.at(-1)?.label, redo: future.at(-1)?.label };

  function choose(action: () => void) {
    onClose();
    // After the dialog has given the focus back, so that an action may move it.
    setTimeout(action, 0);
  }

  return (
    <Cmdk.Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      label="Search actions, nodes and workflows"
      overlayClassName="fixed inset-0 z-40 animate-fade bg-overlay"
      contentClassName="fixed top-[12vh] left-1/2 z-50 w-[min(560px,calc(100vw-24px))] -translate-x-1/2 animate-rise overflow-hidden rounded-lg border bg-raised shadow-float"
    >
      <div className="flex items-center gap-2.5 border-b px-4 text-muted">
        <Icon name="search" />
        <Cmdk.Input
          placeholder="Search actions, nodes and workflows"
          className="h-12 flex-1 bg-transparent text-base text-ink outline-none placeholder:text-faint"
        />
      </div>
      <Cmdk.List className={`max-h-[min(420px,60vh)] overflow-y-auto p-2 ${headings}`}>
        <Cmdk.Empty className="py-8 text-center text-muted">Nothing found. Try another word.</Cmdk.Empty>
        <Cmdk.Group heading="Actions">
          {commands
            .filter((command) => command.id !== "command-menu" && command.when(context))
            .map((command) => (
              <Entry
                key={command.id}
                value={`action ${command.label}`}
                keywords={[labelNow(command, context)]}
                icon={command.icon}
                detail={steps[command.id]}
                keys={shownKey(command)}
                onSelect={() => choose(() => void command.run(context))}
              >
                {labelNow(command, context)}
              </Entry>
            ))}
        </Cmdk.Group>
        <Cmdk.Group heading="Add a node">
          {Object.values(registry).map((definition) => (
            <Entry
              key={definition.type}
              value={`add ${definition.title}`}
              keywords={[definition.type, definition.summary]}
              icon={definition.icon}
              detail={definition.summary}
              onSelect={() => choose(() => void addNode(context, { type: definition.type }))}
            >
              Add {definition.title}
            </Entry>
          ))}
        </Cmdk.Group>
        {nodes.length > 0 && (
          <Cmdk.Group heading="Go to a node">
            {nodes.map((node) => (
              <Entry
                key={node.id}
                value={`go to ${node.title} ${node.id}`}
                icon={definitionOf(registry, node.type)?.icon ?? "circle-question-mark"}
                detail={definitionOf(registry, node.type)?.title}
                onSelect={() => choose(() => showNode(canvas, node.id))}
              >
                {node.title}
              </Entry>
            ))}
          </Cmdk.Group>
        )}
        {others.length > 0 && (
          <Cmdk.Group heading="Open a workflow">
            {others.map(({ id, name }) => (
              <Entry
                key={id}
                value={`open ${name} ${id}`}
                keywords={["workflow"]}
                icon="workflow"
                detail="Workflow"
                onSelect={() => choose(() => navigate(`/w/${id}`))}
              >
                {name}
              </Entry>
            ))}
          </Cmdk.Group>
        )}
      </Cmdk.List>
    </Cmdk.Dialog>
  );
}
