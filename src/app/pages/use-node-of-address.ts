import { useEffect } from "react";
import { useSearchParams } from "wouter";
import { showProblem } from "../../state/editor/show-node.ts";
import { useEditor } from "../../state/editor/editor-context.tsx";

/** Shows the node that the address names, once the canvas stands, and takes it out of the address. */
export function useNodeOfAddress(): void {
  const { canvas, document } = useEditor();
  const [search, setSearch] = useSearchParams();
  const nodeId = search.get("node");
  useEffect(() => {
    if (nodeId === null) return undefined;
    const show = () => {
      if (Object.hasOwn(document.getState().document.nodes, nodeId)) showProblem(canvas, { nodeId });
      setSearch({}, { replace: true });
    };
    if (canvas.getState().controls !== null) return void show();
    const leave = canvas.subscribe(({ controls }) => {
      if (controls === null) return;
      leave();
      show();
    });
    return leave;
  }, [canvas, document, nodeId, setSearch]);
}
