import { useState } from "react";
import { Link } from "wouter";
import type { CollectionSummary } from "../../services/knowledge.ts";
import { Icon } from "../../ui/icons/icon.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { Menu } from "../../ui/overlays/menu.tsx";
import { NameInput } from "../../ui/fields/name-input.tsx";
import type { CollectionActions } from "./collection-actions.ts";
import { embeddingText } from "./embedding-choices.ts";
import { holdings } from "./holdings.ts";

/** One collection of the list: what it holds, how it is searched, and what can be done with it. */
export function CollectionRow({ collection, actions }: { collection: CollectionSummary; actions: CollectionActions }) {
  const [renaming, setRenaming] = useState(false);
  const { id, name, description, embedding, table } = collection;
  return (
    <li className="relative flex items-center gap-3 border-b px-3 py-3 last:border-b-0 hover:bg-hover sm:px-4">
      <span className="inline-flex size-8 shrink-0 items-center justify-center rounded-md bg-role-tool-soft text-role-tool">
        <Icon name="book-open" />
      </span>
      <div className="min-w-0 flex-1">
        {renaming ? (
          <NameInput
            label={`New name of ${name}`}
            value={name}
            onDone={(next) => {
              setRenaming(false);
              if (next !== null) actions.rename(id, next);
            }}
          />
        ) : (
          <h2 className="truncate text-base font-medium">
            <Link href={`/knowledge/${id}`} className="after:absolute after:inset-0 after:rounded-lg">
              {name}
            </Link>
          </h2>
        )}
        {description !== "" && <p className="truncate text-muted">{description}</p>}
        <p className="flex flex-wrap gap-x-3 text-xs text-muted numeric">
          {holdings(collection).map((words) => (
            <span key={words}>{words}</span>
          ))}
          <span>{embeddingText(embedding)}</span>
        </p>
      </div>
      <span className="relative z-1">
        <Menu
          trigger={<IconButton icon="ellipsis" label={`Actions for ${name}`} size="sm" />}
          items={[
            { label: "Rename", icon: "pencil", onSelect: () => setRenaming(true) },
            ...(table
              ? []
              : [
                  {
                    label: "Export as JSON",
                    icon: "download" as const,
                    onSelect: () => actions.exportFile(collection),
                  },
                ]),
            "separator",
            { label: "Delete", icon: "trash-2", danger: true, onSelect: () => actions.remove(collection) },
          ]}
        />
      </span>
    </li>
  );
}
