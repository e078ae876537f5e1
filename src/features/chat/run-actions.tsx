import type { ReactNode } from "react";
import { useEditor, useRunStore } from "../../state/editor/editor-context.tsx";
import { editorDialogStore } from "../../state/editor/editor-dialog-store.ts";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { keptState } from "../../ui/data/virtual-log/kept-state.ts";

/** Goes through a run that has ended. */
export type RenderReplay = (runId: string) => ReactNode;

/** Whether the replay of a run is open: that of the first run is, until it is closed. */
const useReplayOpen = keptState<boolean | null>(null);

/** What can be done with a run under its answer: the buttons, and the replay while it is open. */
export function useRunActions(runId: string, renderReplay: RenderReplay | undefined, isFirst = false) {
  const { readOnly } = useEditor();
  const isStored = useRunStore(({ saving }) => (saving[runId]?.status ?? "saved") === "saved");
  const [chosen, setChosen] = useReplayOpen(runId);
  const replaying = renderReplay !== undefined && (chosen ?? isFirst);
  const buttons = renderReplay && (
    <>
      <IconButton
        size="sm"
        icon="history"
        label={replaying ? "Close the replay" : "See how it got there"}
        aria-expanded={replaying}
        onClick={() => setChosen(!replaying)}
      />
      {readOnly === undefined && (
        <IconButton
          size="sm"
          icon="share"
          label="Share this run"
          disabled={!isStored}
          onClick={() => editorDialogStore.getState().show({ kind: "share-run", runId })}
        />
      )}
    </>
  );
  return { buttons, replay: replaying ? renderReplay(runId) : null };
}
