import { useMemo } from "react";
import { useDocumentStore, useEditor } from "../../state/editor/editor-context.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { MasterDetail } from "../../ui/layout/master-detail.tsx";
import { useChosenSession } from "./chosen-session.ts";
import { memoryPlaces } from "./memory-places.ts";
import { PlaceSessions } from "./place-sessions.tsx";
import { SessionView } from "./session-view.tsx";

/** What the agents of the open workflow remember, place by place: to read, edit, export, import and clear. */
export function MemoryPanel() {
  const { registry } = useEditor();
  const nodes = useDocumentStore((state) => state.document.nodes);
  const places = useMemo(() => memoryPlaces({ nodes }, registry), [nodes, registry]);
  const { chosen, choose, close } = useChosenSession();
  const named = places.find((place) => place.key === chosen?.placeKey);

  return (
    <MasterDetail
      stacks
      chosen={chosen !== null}
      onBack={() => choose(null)}
      list={
        <div className="h-full min-h-0 overflow-y-auto">
          {places.map((place) => (
            <PlaceSessions key={place.key} named={place} chosen={chosen} onChoose={choose} />
          ))}
        </div>
      }
      detail={
        chosen && named ? (
          <SessionView
            key={JSON.stringify(chosen)}
            named={named}
            session={{ place: named.place, workflowId: chosen.workflowId, sessionId: chosen.sessionId }}
            onGone={() => close(chosen)}
          />
        ) : (
          <EmptyState icon="history" title="Choose a conversation">
            Its messages, the agent's notes and its summary can be read, edited and exported here.
          </EmptyState>
        )
      }
    />
  );
}
