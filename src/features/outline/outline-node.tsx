import { memo, useRef, useState } from "react";
import { definitionOf } from "../../engine/document/can-connect.ts";
import type { NodeRecord } from "../../engine/document/workflow-document.ts";
import { deleteSelection } from "../../state/commands/delete-selection.ts";
import { renameNode } from "../../state/commands/rename.ts";
import { edgesOf } from "../../state/editing/edge-index.ts";
import { geometryOf, isLeftOut } from "../../state/editing/shown-ports.ts";
import { offOf } from "../../state/editing/node-off.ts";
import { useCanvasStore, useDocumentStore, useEditor, useProblemStore } from "../../state/editor/editor-context.tsx";
import { problemsOf } from "../../state/document/problem-store.ts";
import { showNode } from "../../state/editor/show-node.ts";
import { classNames } from "../../ui/theme/class-names.ts";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { Icon } from "../../ui/icons/icon.tsx";
import { NameInput } from "../../ui/fields/name-input.tsx";
import { OutlinePort } from "./outline-port.tsx";

interface OutlineNodeProps {
  id: string;
  isOpen: boolean;
  onToggle: (id: string) => void;
  /** Says aloud what was done. */
  onSaid: (words: string) => void;
}

/** What can be done with the node itself. */
function Actions({
  node,
  onRename,
  onSaid,
}: {
  node: NodeRecord;
  onRename: () => void;
  onSaid: (words: string) => void;
}) {
  const { canvas, context } = useEditor();
  const { id, title } = node;
  return (
    <div className="flex gap-1">
      <IconButton size="sm" icon="scan" label={`Show ${title}`} onClick={() => showNode(canvas, id)} />
      <IconButton
        size="sm"
        icon="settings"
        label={`Settings of ${title}`}
        onClick={() => {
          showNode(canvas, id);
          canvas.setState({ inspectorTab: "settings", focusField: { nodeId: id, field: "" } });
        }}
      />
      <IconButton size="sm" icon="pencil" label={`Rename ${title}`} onClick={onRename} />
      <IconButton
        size="sm"
        icon="trash-2"
        label={`Delete ${title}`}
        onClick={(event) => {
          const row = event.currentTarget.closest("li");
          const next = row?.nextElementSibling ?? row?.previousElementSibling;
          canvas.getState().select([id]);
          deleteSelection(context);
          onSaid(`Deleted ${title}.`);
          next?.querySelector<HTMLElement>("[data-outline-row]")?.focus();
        }}
      />
    </div>
  );
}

function Problems({ id }: { id: string }) {
  const problems = useProblemStore((state) => problemsOf(state, id));
  return problems.map(({ message, hint, severity }) => (
    <p key={message} className={severity === "error" ? "text-danger" : "text-warning"}>
      {message} {hint}
    </p>
  ));
}

const directions = [
  ["input", "Inputs"],
  ["output", "Outputs"],
] as const;

function Details({
  node,
  onRename,
  onSaid,
}: {
  node: NodeRecord;
  onRename: () => void;
  onSaid: (words: string) => void;
}) {
  const { registry } = useEditor();
  const definition = definitionOf(registry, node.type);
  const edges = useDocumentStore((state) => state.document.edges);
  const wired = new Set(edgesOf(edges, node.id).outgoing.map(({ from }) => from.port));
  const ports = geometryOf(registry, node).ports.filter(
    (placed) => wired.has(placed.name) || !isLeftOut(registry, node, placed),
  );
  return (
    <div className="flex flex-col gap-2 pt-1 pr-2 pb-3 pl-8 text-xs">
      <Actions node={node} onRename={onRename} onSaid={onSaid} />
      <Problems id={node.id} />
      {directions.map(([direction, heading]) => {
        const own = definition === undefined ? [] : ports.filter((placed) => placed.direction === direction);
        if (own.length === 0) return null;
        return (
          <section key={direction}>
            <h2 className="font-medium text-muted">{heading}</h2>
            <ul aria-label={`${heading} of ${node.title}`} className="flex flex-col gap-1">
              {own.map((placed) => (
                <OutlinePort key={placed.name} nodeId={node.id} placed={placed} onSaid={onSaid} />
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

/** One node: a line to open, and below it what can be done with it and with its ports. */
export const OutlineNode = memo(function OutlineNode({ id, isOpen, onToggle, onSaid }: OutlineNodeProps) {
  const { registry, context, canvas } = useEditor();
  const node = useDocumentStore((state) => state.document.nodes[id]);
  const isSelected = useCanvasStore((state) => state.selection.nodes[id] === true);
  const hasError = useProblemStore((state) =>
    problemsOf(state, id).some(({ severity, review }) => severity === "error" && review === undefined),
  );
  const [renaming, setRenaming] = useState(false);
  const row = useRef<HTMLButtonElement>(null);
  if (node === undefined) return null;
  const definition = definitionOf(registry, node.type);
  const off = offOf(registry, node);

  function rename(name: string | null) {
    setRenaming(false);
    if (name !== null) {
      renameNode(context, id, name);
      onSaid(`Renamed to ${name}.`);
    }
    requestAnimationFrame(() => row.current?.focus());
  }

  return (
    <li className="[contain-intrinsic-size:auto_40px] [content-visibility:auto]">
      {renaming ? (
        <div className="p-1">
          <NameInput label="Title" value={node.title} onDone={rename} />
        </div>
      ) : (
        <button
          ref={row}
          type="button"
          data-outline-row={id}
          aria-expanded={isOpen}
          onClick={() => {
            onToggle(id);
            if (!isOpen) canvas.getState().controls?.reveal(id);
          }}
          onKeyDown={(event) => {
            const wantsOther = (event.key === "ArrowRight" && !isOpen) || (event.key === "ArrowLeft" && isOpen);
            if (wantsOther) onToggle(id);
            if (event.key === "F2") {
              event.preventDefault();
              event.stopPropagation();
              setRenaming(true);
            }
          }}
          className={classNames(
            "flex min-h-9 w-full items-center gap-2 rounded-md px-1.5 text-left hover:bg-hover",
            isSelected && "bg-accent-soft",
          )}
        >
          <Icon name={isOpen ? "chevron-down" : "chevron-right"} size={14} />
          <span className="text-muted">
            <Icon name={definition?.icon ?? "circle-question-mark"} />
          </span>
          <span className={classNames("min-w-0 flex-1 truncate font-medium", off !== null && "text-muted")}>
            {node.title}
            {off !== null && <span className="font-normal"> ({off})</span>}
          </span>
          {hasError && (
            <span className="text-danger">
              <Icon name="triangle-alert" size={14} label="Has a problem" />
            </span>
          )}
          {definition !== undefined && definition.title !== node.title && (
            <span className="max-w-28 truncate text-xs text-muted">{definition.title}</span>
          )}
        </button>
      )}
      {isOpen && <Details node={node} onRename={() => setRenaming(true)} onSaid={onSaid} />}
    </li>
  );
});
