import type { ReactNode } from "react";
import { commandById } from "../../../state/commands/editor-commands.ts";
import { useEditor } from "../../../state/editor/editor-context.tsx";
import { Button } from "../../../ui/buttons/button.tsx";
import { Tooltip } from "../../../ui/overlays/tooltip.tsx";

/** Publish, and beside it what is live now (`state`). A phone has it in the menu of the workflow. */
export function PublishButton({ state }: { state: ReactNode }) {
  const { commands, context } = useEditor();
  return (
    <div className="flex items-center gap-1 max-sm:hidden">
      {state}
      <Tooltip content="Make a version that runs on the server">
        <Button onClick={() => void commandById(commands, "publish-workflow")?.run(context)}>Publish</Button>
      </Tooltip>
    </div>
  );
}
