import { useQuery } from "@tanstack/react-query";
import type { WorkflowSummary } from "../../services/services.ts";
import { useServices } from "../../services/services-context.tsx";
import { GraphSketch } from "../../ui/graph/graph-sketch.tsx";
import { Icon } from "../../ui/icons/icon.tsx";

/** Names in larger graphs are too small to be read. */
const namedNodes = 12;

/** Pictures are drawn with the registry of nodes, which the list of workflows does without. */
const loadSketchOf = async () => (await import("./sketch-of.ts")).sketchOf;

/** A picture of a workflow's graph; an icon until it is there, and for an empty canvas. */
export function WorkflowPicture({ workflow, shown }: { workflow: WorkflowSummary; shown: boolean }) {
  const { workflows } = useServices();
  const sketch = useQuery({
    queryKey: ["workflow-sketch", workflow.id, workflow.revision],
    queryFn: async () => {
      const [sketchOf, outline] = await Promise.all([loadSketchOf(), workflows.outline(workflow.id)]);
      return sketchOf(outline, { notes: false });
    },
    enabled: shown,
    staleTime: Infinity,
    retry: false,
  });
  const nodes = sketch.data?.nodes.length ?? 0;
  return (
    <span className="flex h-32 w-full shrink-0 items-center justify-center bg-canvas bg-[radial-gradient(var(--color-dot)_1px,transparent_1px)] bg-size-[12px_12px] p-2 text-faint">
      {sketch.data !== undefined && nodes > 0 ? (
        <GraphSketch small={nodes > namedNodes} sketch={sketch.data} className="size-full" />
      ) : (
        <Icon name="workflow" size={20} />
      )}
    </span>
  );
}
