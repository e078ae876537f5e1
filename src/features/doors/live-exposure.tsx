import { useQuery } from "@tanstack/react-query";
import type { DoorKind } from "../../engine/trust/run-sources.ts";
import type { Publication } from "../../services/services.ts";
import { useEditor, useServices } from "../../stores/editor-context.tsx";
import { DoorExposure } from "./door-exposure.tsx";

/** Warns where callers of an open door can get private data out of the live version. */
export function LiveExposure({ door, publication: { live } }: { door: DoorKind; publication: Publication }) {
  const { workflowId } = useEditor();
  const { publications } = useServices();
  const { data } = useQuery({
    queryKey: ["published-document", workflowId, live],
    queryFn: () => publications.document(workflowId, live ?? 0),
    enabled: live !== null,
    staleTime: Infinity,
  });
  return data === undefined ? null : <DoorExposure document={data} door={door} />;
}
