import { useDocumentStore, useEditor } from "../../state/editor/editor-context.tsx";
import { useAssistant } from "../../state/assistant/assistant-store.ts";
import { addNode } from "../../state/commands/add-node.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Kbd } from "../../ui/buttons/kbd.tsx";

/** Nodes of the smallest agent that runs, in the order in which they connect to each other. */
const starter = ["chat-trigger", "ai-agent", "demo-model"];

/** Teaches the first step on an empty canvas, and offers to take it. */
export function EmptyCanvas() {
  const { context, canvas, registry } = useEditor();
  const empty = useDocumentStore((state) => Object.keys(state.document.nodes).length === 0);
  const proposed = useAssistant((state) => state.proposal !== null);
  if (!empty || proposed) return null;
  const canStart = starter.every((type) => Object.hasOwn(registry, type));

  const addStarter = () => {
    let agent: string | undefined;
    for (const type of starter) {
      const id = addNode(context, { type });
      if (registry[type]?.role === "agent") agent = id;
      if (agent !== undefined) canvas.getState().select([agent]);
    }
    setTimeout(() => canvas.getState().controls?.fit(), 50);
  };

  return (
    <div className="pointer-events-none absolute inset-0 z-5 flex items-center justify-center p-6">
      <div className="pointer-events-auto max-w-96 text-center">
        <h2 className="text-lg font-semibold">Build your first agent</h2>
        <p className="mt-1 text-base text-muted">
          An agent needs something that starts it, a model that thinks, and, if you like, tools and a memory.
        </p>
        <div className="mt-4 flex flex-wrap justify-center gap-2">
          {canStart && (
            <Button variant="primary" icon="sparkles" onClick={addStarter}>
              Start with a chat agent
            </Button>
          )}
          <Button icon="plus" onClick={() => canvas.setState({ paletteOpen: true })}>
            Add a node
          </Button>
        </div>
        <p className="mt-4 text-xs text-muted max-sm:hidden pointer-coarse:hidden">
          Press <Kbd keys="n" /> for all nodes, <Kbd keys="mod+i" /> to tell the assistant what you want,{" "}
          <Kbd keys="mod+k" /> for everything else.
        </p>
      </div>
    </div>
  );
}
