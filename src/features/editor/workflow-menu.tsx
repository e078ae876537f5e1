import type { Command } from "../../state/commands/command.ts";
import { commandById } from "../../state/commands/editor-commands.ts";
import { useDocumentStore, useEditor } from "../../state/editor/editor-context.tsx";
import { isOnePane } from "../../state/editor/one-pane.ts";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { Menu, type MenuAction, type MenuItem } from "../../ui/overlays/menu.tsx";

/** Undo and redo, for which a phone's bar has no room of their own. */
function useHistoryItems(): MenuItem[] {
  const { commands, context } = useEditor();
  const steps = {
    undo: useDocumentStore((state) => state.past.at(-1)?.label),
    redo: useDocumentStore((state) => state.future.at(-1)?.label),
  };
  if (!isOnePane()) return [];
  const items = (["undo", "redo"] as const).flatMap((id): MenuAction[] => {
    const command = commandById(commands, id);
    if (command === undefined) return [];
    const step = steps[id];
    const label = step === undefined ? command.label : `${command.label}: ${step}`;
    return [{ ...toItem(command, () => void command.run(context)), label, disabled: step === undefined }];
  });
  return [...items, "separator"];
}

function toItem({ label, icon }: Command, onSelect: () => void): MenuAction {
  return { label, icon, onSelect };
}

/** What can be done with the workflow as a whole: the commands of that group. */
export function WorkflowMenu() {
  const { commands, context } = useEditor();
  const history = useHistoryItems();
  const offered = commands.filter(({ group, when }) => group === "Workflow" && when(context));
  if (offered.length === 0) return null;
  return (
    <Menu
      trigger={<IconButton size="sm" icon="ellipsis" label="Workflow actions" />}
      items={[...history, ...offered.map((command) => toItem(command, () => void command.run(context)))]}
    />
  );
}
