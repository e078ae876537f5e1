import { missingCodeHint } from "../../services/missing-code.ts";
import type { Command, CommandContext } from "./command.ts";

/**
 * What a command does, its code loaded when it is first used: the command waits for it, then acts. When the code cannot
 * be loaded the person is told, and can try again.
 */
export function runLater(load: () => Promise<(context: CommandContext) => void | Promise<void>>): Command["run"] {
  return async function run(context) {
    let act;
    try {
      act = await load();
    } catch {
      context.notify({
        tone: "error",
        message: "A part of the page could not be loaded.",
        hint: missingCodeHint,
        action: { label: "Try again", onClick: () => void run(context) },
      });
      return;
    }
    await act(context);
  };
}
