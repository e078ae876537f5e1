import { arrangeCommands } from "./arrange.ts";
import { clipboardCommands } from "./clipboard.ts";
import type { Command } from "./command.ts";
import { deleteCommand } from "./delete-selection.ts";
import { groupCommands } from "./group-commands.ts";
import { historyCommands } from "./history.ts";
import { insertCommand } from "./insert-command.ts";
import { nodeCommands } from "./node-commands.ts";
import { replaceCommand } from "./replace-command.ts";
import { selectionCommands } from "./selection.ts";
import { viewCommands } from "./view.ts";

/** All commands of the editor itself; the page adds its own (test, stop, theme). */
export const editorCommands: readonly Command[] = [
  ...historyCommands,
  ...clipboardCommands,
  deleteCommand,
  ...selectionCommands,
  ...nodeCommands,
  replaceCommand,
  insertCommand,
  ...groupCommands,
  ...arrangeCommands,
  ...viewCommands,
];

export function commandById(commands: readonly Command[], id: string): Command | undefined {
  return commands.find((command) => command.id === id);
}
