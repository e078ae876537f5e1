import { useState } from "react";
import type { AnyNodeDefinition } from "../../engine/document/define-node.ts";
import type { ConnectorUse } from "../../nodes/connectors/connector-node.ts";
import type { ConnectorChoice } from "../../nodes/connectors/index.ts";
import { addNode } from "../../state/commands/add-node.ts";
import { startOf, useConnectors } from "../../state/editor/connectors.ts";
import { useEditor } from "../../state/editor/editor-context.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { useReturnFocus } from "../../ui/overlays/return-focus.ts";
import { SearchHead } from "../../ui/fields/search-head.tsx";
import { catalogue } from "./catalogue.ts";
import { matchingOperations } from "./matching-operations.ts";
import { PaletteEntry } from "./palette-entry.tsx";
import { PaletteFold } from "./palette-line.tsx";
import ConnectorSection from "./connector-section.tsx";

/** The drawer of node types and of what services can do, with a search. */
export function Palette({ onClose, closeOnAdd = false }: { onClose: () => void; closeOnAdd?: boolean }) {
  const { registry, context } = useEditor();
  useReturnFocus();
  const [search, setSearch] = useState("");
  const sections = catalogue(registry, search);
  const connectors = useConnectors();
  const [use, setUse] = useState<ConnectorUse>("tool");
  const services = matchingOperations(connectors, search);

  function add(type: string) {
    // What is selected comes into view by itself.
    addNode(context, { type });
    if (closeOnAdd) onClose();
  }

  const line = (definition: AnyNodeDefinition) => (
    <PaletteEntry key={definition.type} definition={definition} onAdd={() => add(definition.type)} />
  );

  function addOperation(choice: ConnectorChoice) {
    addNode(context, startOf(choice, use));
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
          const first = sections[0]?.entries[0];
          const best = services[0]?.choices[0];
          if (first !== undefined && "definition" in first) add(first.definition.type);
          else if (best !== undefined) addOperation(best);
        }}
      >
        <IconButton size="sm" icon="x" label="Close" onClick={onClose} />
      </SearchHead>
      <div className="min-h-0 flex-1 overflow-y-auto p-2">
        {sections.map((section) => (
          <section key={section.title} className="mb-2">
            <h2 className="px-2 pt-2 pb-1 text-xs font-medium text-muted">{section.title}</h2>
            {section.entries.map((entry) =>
              "family" in entry ? (
                <PaletteFold key={entry.family.title} {...entry.family} role={entry.kinds[0].role}>
                  <div className="mb-1 ml-3.5 border-l pl-1.5">{entry.kinds.map(line)}</div>
                </PaletteFold>
              ) : (
                line(entry.definition)
              ),
            )}
          </section>
        ))}
        {services.length > 0 && (
          <ConnectorSection
            services={services}
            open={search.trim() !== ""}
            use={use}
            onUse={setUse}
            onAdd={addOperation}
          />
        )}
        {sections.length === 0 && services.length === 0 && (
          <p className="px-3 py-8 text-center text-muted">No node is called “{search}”. Try another word.</p>
        )}
      </div>
    </section>
  );
}
