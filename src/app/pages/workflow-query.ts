import { queryOptions } from "@tanstack/react-query";
import type { Services } from "../../stores/services.ts";

/** One stored workflow, read once for each visit of its page; after that the editor knows better. */
export function workflowQuery({ workflows }: Services, workflowId: string) {
  return queryOptions({
    queryKey: ["workflow", workflowId],
    queryFn: () => workflows.get(workflowId),
    staleTime: Infinity,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });
}
