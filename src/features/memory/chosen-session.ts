import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { useEditor } from "../../state/editor/editor-context.tsx";

/** Which conversation of which place is open. */
export interface ChosenSession {
  placeKey: string;
  workflowId: string | null;
  sessionId: string;
}

/** By workflow, so that it is still open when the panel is turned to again. */
const chosenSessions = createStore<Readonly<Record<string, ChosenSession | null>>>()(() => ({}));

/** The open conversation of the open workflow, how to open another one, and how to close one that is gone. */
export function useChosenSession() {
  const { workflowId } = useEditor();
  const chosen = useStore(chosenSessions, (state) => state[workflowId] ?? null);
  const choose = (session: ChosenSession | null) => chosenSessions.setState({ [workflowId]: session });
  /** Another one may have been opened while it was deleted. */
  const close = (gone: ChosenSession) => {
    if (chosenSessions.getState()[workflowId] === gone) choose(null);
  };
  return { chosen, choose, close };
}
