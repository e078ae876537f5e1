import type { CommandContext } from "../../state/commands/command.ts";
import { newId } from "../../state/shared/new-id.ts";
import { showToast } from "../../ui/feedback/toast.tsx";

/** What the commands of a page work with; what they have to say is shown as a toast. */
export function pageCommandContext(stores: Pick<CommandContext, "document" | "canvas" | "registry">): CommandContext {
  return {
    ...stores,
    newId,
    notify: ({ tone, message, ...more }) => showToast(message, more, tone === "error" ? "error" : "plain"),
  };
}
