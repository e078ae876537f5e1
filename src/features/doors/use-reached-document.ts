import { useQuery } from "@tanstack/react-query";
import type { Publication } from "../../services/services.ts";
import { useEditor, useServices } from "../../state/editor/editor-context.tsx";

/** The workflow as callers run it: the live version, or else the one in staging. Disabled while there is neither. */
export function useReachedDocument({ live, staging }: Publication) {
  const { workflowId } = useEditor();
  const { publications } = useServices();
  const version = live ?? staging;
  return useQuery({
    queryKey: ["published-document", workflowId, version],
    queryFn: () => publications.document(workflowId, version ?? 0),
    enabled: version !== null,
    staleTime: Infinity,
  });
}
