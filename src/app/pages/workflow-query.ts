import { queryOptions } from "@tanstack/react-query";
import { saveBeforeReading } from "../../state/document/left-autosaves.ts";
import { browserDrafts } from "../browser-drafts.ts";
import type { Services } from "../../services/services.ts";

/** One stored workflow, read once for each visit of its page; after that the editor knows better. */
export function workflowQuery({ workflows }: Services, workflowId: string) {
  return queryOptions({
    queryKey: ["workflow", workflowId],
    queryFn: async () => {
      // Otherwise someone who comes back while the last edit is being saved would see it as somebody else's change.
      await saveBeforeReading(workflowId);
      const [stored] = await Promise.all([workflows.get(workflowId), browserDrafts.recover(workflowId)]);
      return stored;
    },
    staleTime: Infinity,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });
}
