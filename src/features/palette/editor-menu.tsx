import { CommandMenu } from "./command-menu.tsx";
import { menuLabels } from "./menu-labels.ts";
import { useMenuGroups } from "./use-menu-groups.ts";
import { useMenuSearch } from "./use-menu-search.ts";

/** Everything by name: actions that can be done now, nodes to add, nodes to go to, workflows to open; the best first. */
export function EditorMenu({ onClose }: { onClose: () => void }) {
  const search = useMenuSearch();
  const groups = useMenuGroups(search.text);
  return <CommandMenu label={menuLabels.editor} search={search} groups={groups} onClose={onClose} />;
}
