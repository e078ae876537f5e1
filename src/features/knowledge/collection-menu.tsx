import { Button } from "../../ui/buttons/button.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { Menu } from "../../ui/overlays/menu.tsx";
import type { CollectionSummary } from "../../services/knowledge.ts";
import type { CollectionActions } from "./collection-actions.ts";

/** What can be done with an open collection. */
export function CollectionMenu(props: {
  collection: CollectionSummary;
  actions: CollectionActions;
  onRename: () => void;
}) {
  const { collection, actions, onRename } = props;
  return (
    <>
      {!collection.table && (
        <Button icon="download" onClick={() => actions.exportFile(collection)}>
          Export
        </Button>
      )}
      <Menu
        trigger={<IconButton icon="ellipsis" variant="secondary" label={`Actions for ${collection.name}`} />}
        items={[
          { label: "Rename", icon: "pencil", onSelect: onRename },
          "separator",
          { label: "Delete", icon: "trash-2", danger: true, onSelect: () => actions.remove(collection) },
        ]}
      />
    </>
  );
}
