import { labelNow, shownKey, type Command, type CommandContext } from "./command.ts";
import { commandById } from "./editor-commands.ts";

/** A command as a line of a menu. */
interface CommandLine {
  label: string;
  icon?: Command["icon"];
  shortcut?: string;
  danger: boolean;
  onSelect: () => void;
}

/**
 * The lines of a menu, in this order: of commands by id those that can be run now, `|` for a line between groups that are
 * not empty, anything else as it is.
 */
export function commandMenu<Own extends object = never>(
  entries: readonly (string | Own)[],
  { commands, context }: { commands: readonly Command[]; context: CommandContext },
): (CommandLine | Own | "separator")[] {
  const lines: (CommandLine | Own | "separator")[] = [];
  for (const entry of entries) {
    if (typeof entry !== "string") {
      lines.push(entry);
      continue;
    }
    if (entry === "|") {
      if (lines.length > 0 && lines.at(-1) !== "separator") lines.push("separator");
      continue;
    }
    const command = commandById(commands, entry);
    if (command === undefined || !command.when(context)) continue;
    lines.push({
      label: labelNow(command, context),
      icon: command.icon,
      shortcut: shownKey(command),
      danger: entry === "delete",
      onSelect: () => void command.run(context),
    });
  }
  if (lines.at(-1) === "separator") lines.pop();
  return lines;
}
