import { useQuery } from "@tanstack/react-query";
import type { WorkflowSummary } from "../../stores/services.ts";
import { useServices } from "../../stores/services-context.tsx";
import { GraphSketch } from "../../ui/graph-sketch.tsx";
import { Icon } from "../../ui/icon.tsx";
import { sketchOf } from "./sketch-of.ts";

/** A small picture of a workflow's graph; an icon until it is there, and for an empty canvas. */
export function WorkflowPicture({ workflow, shown }: { workflow: WorkflowSummary; shown: boolean }) {
  const { workflows } = useServices();
  const sketch = useQuery({
    queryKey: ["workflow-sketch", workflow.id, workflow.revision],
    queryFn: async () => sketchOf((await workflows.get(workflow.id)).document),
    enabled: shown,
    staleTime: Infinity,
    retry: false,
  });
  const nodes = sketch.data?.nodes.length ?? 0;
  return (
    <span className="inline-flex h-11 w-20 shrink-0 items-center justify-center rounded-md border bg-canvas p-1 text-faint">
      {sketch.data !== undefined && nodes > 0 ? (
        <GraphSketch small sketch={sketch.data} className="size-full" />
      ) : (
        <Icon name="workflow" />
      )}
    </span>
  );
}
