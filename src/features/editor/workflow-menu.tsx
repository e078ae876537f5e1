import { useEditor } from "../../stores/editor-context.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import type { IconName } from "../../ui/icon.tsx";
import { icons } from "../../ui/icons.ts";
import { Menu } from "../../ui/menu.tsx";

function isIcon(name: string): name is IconName {
  return Object.hasOwn(icons, name);
}

/** What can be done with the workflow as a whole: the commands of that group. */
export function WorkflowMenu() {
  const { commands, context } = useEditor();
  const offered = commands.filter(({ group }) => group === "Workflow");
  if (offered.length === 0) return null;
  return (
    <Menu
      trigger={<IconButton size="sm" icon="ellipsis" label="Workflow actions" />}
      items={offered.map(({ label, icon, run }) => ({
        label,
        ...(isIcon(icon) ? { icon } : {}),
        onSelect: () => void run(context),
      }))}
    />
  );
}
