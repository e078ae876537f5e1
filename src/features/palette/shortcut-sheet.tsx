import { type Command, type CommandGroup, labelNow, shownKey } from "../../state/commands/command.ts";
import { useEditor } from "../../state/editor/editor-context.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { Kbd } from "../../ui/buttons/kbd.tsx";

const order: readonly CommandGroup[] = ["Run", "Workflow", "Edit", "Node", "Arrange", "View"];

interface Gesture {
  label: string;
  keys: readonly string[];
}

/** Keys of the canvas that depend on what has the focus, so that they are no commands. */
const keyboard: readonly Gesture[] = [
  { label: "To the canvas and out of it", keys: ["Tab"] },
  { label: "Next card that way", keys: ["up", "down", "left", "right"] },
  { label: "First and last card", keys: ["Home", "End"] },
  { label: "Select, or add to the selection", keys: ["space", "shift+space"] },
  { label: "Select and open the settings", keys: ["enter"] },
  { label: "From a setting back to its card", keys: ["escape"] },
  { label: "Move what is selected", keys: ["up", "down", "left", "right"] },
  { label: "Move it farther", keys: ["shift+up", "shift+down"] },
  { label: "Select the next card instead", keys: ["alt+left", "alt+right"] },
  { label: "From a card to its wires", keys: ["e"] },
];

const mouse: readonly { label: string; gesture: string }[] = [
  { label: "Pan", gesture: "Drag the ground, or scroll" },
  { label: "Zoom", gesture: "Pinch, or Ctrl and scroll" },
  { label: "Select several", gesture: "Shift and drag, or Shift and click" },
  { label: "Connect", gesture: "Drag from a port to a port or a card" },
  { label: "Add what fits a port", gesture: "Click the port, or drop its wire" },
  { label: "Insert between two nodes", gesture: "Drop on the wire, or double-click it" },
  { label: "Rename", gesture: "Double-click the title" },
  { label: "Write on a note", gesture: "Double-click it" },
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
  const { commands, context } = useEditor();
  const withKeys = (group: CommandGroup): readonly Command[] =>
    commands.filter((command) => command.group === group && shownKey(command) !== undefined);
  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())} title="Keyboard shortcuts" size="md">
      {/* Nothing in it takes the focus, so it does itself: the arrow keys scroll it. */}
      <div role="group" aria-label="Shortcuts" tabIndex={0} className="rounded-md">
        {order.map((group) => {
          const list = withKeys(group);
          if (list.length === 0) return null;
          return (
            <section key={group} className="mb-4">
              <h3 className="mb-1 text-xs font-medium text-muted">{group}</h3>
              <ul>
                {list.map((command) => (
                  <Row
                    key={command.id}
                    label={labelNow(command, context)}
                    keys={command.keys ?? command.nativeKeys ?? []}
                  />
                ))}
              </ul>
            </section>
          );
        })}
        <section className="mb-4">
          <h3 className="mb-1 text-xs font-medium text-muted">On the canvas</h3>
          <ul>
            {keyboard.map((gesture) => (
              <Row key={gesture.label} {...gesture} />
            ))}
          </ul>
        </section>
        <section className="mb-4">
          <h3 className="mb-1 text-xs font-medium text-muted">With the mouse</h3>
          <ul>
            {mouse.map(({ label, gesture }) => (
              <li key={label} className="flex min-h-8 items-center justify-between gap-4">
                <span>{label}</span>
                <span className="text-right text-muted">{gesture}</span>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </Dialog>
  );
}
