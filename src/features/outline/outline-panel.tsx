import { type KeyboardEvent, useCallback, useMemo, useState } from "react";
import { definitionOf } from "../../engine/document/can-connect.ts";
import { inReadingOrder } from "../../state/editing/neighbour.ts";
import { nodeBox } from "../../state/editing/node-box.ts";
import { singleSelectedNode } from "../../state/editor/canvas-store.ts";
import { useCanvasStore, useDocumentStore, useEditor } from "../../state/editor/editor-context.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { useReturnFocus } from "../../ui/overlays/return-focus.ts";
import { SearchHead } from "../../ui/fields/search-head.tsx";
import { OutlineNode } from "./outline-node.tsx";

/** The nodes that a search finds, as one reads the canvas. */
function useNodeIds(search: string): string[] {
  const { registry } = useEditor();
  const nodes = useDocumentStore((state) => state.document.nodes);
  return useMemo(() => {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    const found = Object.values(nodes).filter((node) => {
      const text = `${node.title} ${definitionOf(registry, node.type)?.title ?? node.type}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    return inReadingOrder(found.map((node) => ({ id: node.id, ...nodeBox(registry, node) }))).map(({ id }) => id);
  }, [nodes, registry, search]);
}

/** Up and down go from node to node, Home and End to the first and the last one. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-outline-row]")];
  const at = rows.findIndex((row) => row === event.target);
  if (at < 0) return;
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  rows[Math.max(0, Math.min(rows.length - 1, next))]?.focus();
}

/** The workflow as a list to read and to wire: every node with its ports, what they are connected to, and what fits them. */
export function OutlinePanel({ onClose }: { onClose: () => void }) {
  const { canvas } = useEditor();
  useReturnFocus();
  const [search, setSearch] = useState("");
  const [said, setSaid] = useState("");
  const selected = useCanvasStore(singleSelectedNode);
  const [open, setOpen] = useState<string | null>(selected);
  const ids = useNodeIds(search);
  const toggle = useCallback((id: string) => setOpen((now) => (now === id ? null : id)), []);

  return (
    <section
      aria-label="Outline"
      className="flex h-full w-80 shrink-0 flex-col border-r bg-surface max-sm:w-full"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.stopPropagation();
        onClose();
      }}
    >
      <SearchHead icon="list-tree" label="Find in this workflow" value={search} onChange={setSearch}>
        <IconButton
          size="sm"
          icon="plus"
          label="Add a node"
          shortcut="n"
          onClick={() => canvas.setState({ paletteOpen: true, outlineOpen: false })}
        />
        <IconButton size="sm" icon="x" label="Close" onClick={onClose} />
      </SearchHead>
      <ul aria-label="Nodes" className="min-h-0 flex-1 overflow-y-auto p-2" onKeyDown={moveFocus}>
        {ids.map((id) => (
          <OutlineNode key={id} id={id} isOpen={open === id} onToggle={toggle} onSaid={setSaid} />
        ))}
      </ul>
      {ids.length === 0 && (
        <p className="px-5 py-8 text-center text-muted">
          {search === "" ? "There are no nodes yet. Add one with the plus above." : `No node is called “${search}”.`}
        </p>
      )}
      <p role="status" className="sr-only">
        {said}
      </p>
    </section>
  );
}
