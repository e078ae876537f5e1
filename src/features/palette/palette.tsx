import { useState } from "react";
import { addNode } from "../../stores/commands/add-node.ts";
import { useEditor } from "../../stores/editor-context.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { useReturnFocus } from "../../ui/return-focus.ts";
import { SearchHead } from "../../ui/search-head.tsx";
import { catalogue } from "./catalogue.ts";
import { PaletteEntry } from "./palette-entry.tsx";

/** The drawer of node types, with a search. */
export function Palette({ onClose, closeOnAdd = false }: { onClose: () => void; closeOnAdd?: boolean }) {
  const { registry, context } = useEditor();
  useReturnFocus();
  const [search, setSearch] = useState("");
  const sections = catalogue(registry, search);
  const first = sections[0]?.entries[0];

  function add(type: string) {
    // What is selected comes into view by itself.
    addNode(context, { type });
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
      <SearchHead
        icon="search"
        label="Search nodes"
        value={search}
        onChange={setSearch}
        onEnter={() => {
          if (first !== undefined) add(first.type);
        }}
      >
        <IconButton size="sm" icon="x" label="Close" onClick={onClose} />
      </SearchHead>
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
