import type { Command, CommandGroup } from "../../stores/commands/command.ts";
import { useEditor } from "../../stores/editor-context.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Kbd } from "../../ui/kbd.tsx";

const order: readonly CommandGroup[] = ["Run", "Workflow", "Edit", "Node", "View"];

/** Gestures and keys that are not commands of their own. */
const gestures: readonly { label: string; keys: readonly string[] }[] = [
  { label: "Copy, cut, paste", keys: ["mod+c", "mod+x", "mod+v"] },
  { label: "Move the selected nodes", keys: ["up", "down", "left", "right"] },
  { label: "Next node", keys: ["Tab"] },
  { label: "Open the selected node's settings", keys: ["enter"] },
];

function Row({ label, keys }: { label: string; keys: readonly string[] }) {
  return (
    <li className="flex min-h-8 items-center justify-between gap-4">
      <span>{label}</span>
      <span className="flex gap-1">
        {keys.map((key) => (
          <Kbd key={key} keys={key} />
        ))}
      </span>
    </li>
  );
}

/** All keys on one page. */
export default function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const { commands } = useEditor();
  const withKeys = (group: CommandGroup): readonly Command[] =>
    commands.filter((command) => command.group === group && command.keys !== undefined);
  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())} title="Keyboard shortcuts" size="md">
      {order.map((group) => {
        const list = withKeys(group);
        if (list.length === 0) return null;
        return (
          <section key={group} className="mb-4">
            <h3 className="mb-1 text-xs font-medium text-muted">{group}</h3>
            <ul>
              {list.map((command) => (
                <Row key={command.id} label={command.label} keys={command.keys ?? []} />
              ))}
              {group === "Edit" && gestures.map((gesture) => <Row key={gesture.label} {...gesture} />)}
            </ul>
          </section>
        );
      })}
    </Dialog>
  );
}
