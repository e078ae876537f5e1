import type { Editor } from "../editor/editor-context.tsx";
import { newId } from "../shared/new-id.ts";
import type { Services } from "../../services/services.ts";
import { listChanges } from "./changes.ts";
import { Desk, type DeskState } from "./desk.ts";
import type { StoredProposal } from "./stored-proposal.ts";
import { placeAdded } from "../editing/place-added.ts";

/**
 * The desk of an open workflow: its runs come from the database, and what it proposes has a place before it is shown. `kept` is
 * what an earlier visit has left.
 */
export function openDesk(
  { document, registry, workflowId, canvas }: Pick<Editor, "document" | "registry" | "workflowId" | "canvas">,
  { runs }: Pick<Services, "runs">,
  show: (state: DeskState) => void,
  kept?: StoredProposal | null,
): Desk {
  let latest = 0;
  return new Desk({
    registry,
    newId,
    ...(kept ? { kept } : {}),
    document: () => document.getState().document,
    runs: {
      list: async (limit) =>
        (await runs.list(workflowId, limit)).map(({ id, status, startedAt, input, costUsd, totalTokens, error }) => ({
          id,
          status,
          startedAt,
          input,
          costUsd,
          totalTokens,
          ...(error ? { error: `${error.code}: ${error.message}` } : {}),
        })),
      read: async (id) => {
        const [events, then] = await Promise.all([runs.events(id), runs.document(id)]);
        if (then.id !== workflowId) throw new Error("This run is not one of the open workflow.");
        return { id, events, document: then };
      },
    },
    onChange: (state) => {
      const turn = (latest += 1);
      const { proposal } = state;
      if (proposal === null) {
        show(state);
        return;
      }
      void placeAdded(proposal.base, proposal.draft, registry).then((draft) => {
        // Something newer is shown already.
        if (turn !== latest) return;
        const changes = listChanges(proposal.base, draft, registry);
        show({ ...state, proposal: { ...proposal, draft, changes } });
        // On an empty canvas there is nothing that the person looks at yet.
        if (Object.keys(proposal.base.nodes).length === 0)
          requestAnimationFrame(() => canvas.getState().controls?.fit());
      });
    },
  });
}
