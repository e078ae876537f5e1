import { useEffect, useRef, useState } from "react";
import { addNode } from "../../stores/commands/add-node.ts";
import { useEditor } from "../../stores/editor-context.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { catalogue } from "./catalogue.ts";
import { PaletteEntry } from "./palette-entry.tsx";

/** The drawer of node types, with a search. */
export function Palette({ onClose, closeOnAdd = false }: { onClose: () => void; closeOnAdd?: boolean }) {
  const { registry, context, canvas } = useEditor();
  const [search, setSearch] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const sections = catalogue(registry, search);
  const first = sections[0]?.entries[0];

  useEffect(() => input.current?.focus(), []);

  function add(type: string) {
    const id = addNode(context, { type });
    if (id !== undefined) canvas.getState().controls?.reveal(id);
    if (closeOnAdd) onClose();
  }

  return (
    <section
      aria-label="Add a node"
      className="flex h-full w-70 shrink-0 flex-col border-r bg-surface max-sm:w-full"
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onClose();
      }}
    >
      <header className="flex h-11 items-center gap-1 border-b pr-1.5 pl-3">
        <span className="text-muted">
          <Icon name="search" />
        </span>
        <input
          ref={input}
          type="search"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && first !== undefined) add(first.type);
          }}
          placeholder="Search nodes"
          aria-label="Search nodes"
          className="h-full min-w-0 flex-1 bg-transparent px-1 text-sm outline-none placeholder:text-faint [&::-webkit-search-cancel-button]:hidden"
        />
        <IconButton size="sm" icon="x" label="Close" onClick={onClose} />
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto p-2">
        {sections.map((section) => (
          <section key={section.role} className="mb-2">
            <h2 className="px-2 pt-2 pb-1 text-xs font-medium text-muted">{section.title}</h2>
            {section.entries.map((definition) => (
              <PaletteEntry key={definition.type} definition={definition} onAdd={() => add(definition.type)} />
            ))}
          </section>
        ))}
        {sections.length === 0 && (
          <p className="px-3 py-8 text-center text-muted">No node is called “{search}”. Try another word.</p>
        )}
      </div>
    </section>
  );
}
