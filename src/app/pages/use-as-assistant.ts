import { keepAssistant } from "../../state/assistant/open-assistant.ts";
import type { CommandContext } from "../../state/commands/command.ts";

/** Makes the open workflow the one that answers in the assistant's panel. */
export function useAsAssistant({ document, notify }: CommandContext): void {
  keepAssistant(document.getState().document.id);
  notify({
    tone: "info",
    message: "This workflow is the assistant now.",
    hint: "It answers wherever you open the panel.",
  });
}
