import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { useEditor } from "../../stores/editor-context.tsx";

/** Which conversation of which place is open. */
export interface ChosenSession {
  placeKey: string;
  workflowId: string | null;
  sessionId: string;
}

/** By workflow, so that it is still open when the panel is turned to again. */
const chosenSessions = createStore<Readonly<Record<string, ChosenSession | null>>>()(() => ({}));

/** The open conversation of the open workflow, and how to open another one. */
export function useChosenSession(): [ChosenSession | null, (session: ChosenSession | null) => void] {
  const { workflowId } = useEditor();
  const chosen = useStore(chosenSessions, (state) => state[workflowId] ?? null);
  return [chosen, (session) => chosenSessions.setState({ [workflowId]: session })];
}
