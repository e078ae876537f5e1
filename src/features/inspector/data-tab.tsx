import type { Json } from "../../engine/json.ts";
import { knownInput } from "../../engine/run/preview-scope.ts";
import { dataExpression } from "../../state/document/data-expression.ts";
import { useDocumentStore, useEditor, useRunStore } from "../../state/editor/editor-context.tsx";
import { currentRun } from "../../state/run/run-store.ts";
import { CopyButton } from "../../ui/buttons/copy-button.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { JsonTree } from "../../ui/data/json-tree.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { OutputPin } from "./output-pin.tsx";

const words = {
  input: {
    title: "No input yet",
    hint: "Test the workflow. Its input appears here.",
    label: "What the node received",
  },
  output: {
    title: "No output yet",
    hint: "Test the workflow. Its output appears here.",
    label: "What the node returned",
  },
};

/** What went into the node, or came out of it, in the run on show. */
export function DataTab({ nodeId, side }: { nodeId: string; side: "input" | "output" }) {
  const { registry, document: store } = useEditor();
  const given: Json | undefined = useRunStore((state) => {
    const node = currentRun(state)?.nodes[nodeId];
    return side === "input" ? knownInput(node) : node?.output;
  });
  const pinned = useDocumentStore((state) => state.document.nodes[nodeId]?.pin?.output);
  const canPin = useDocumentStore((state) => {
    const definition = registry[state.document.nodes[nodeId]?.type ?? ""];
    if (definition === undefined || side === "input") return false;
    return Object.values(definition.outputs).some(({ kind }) => kind === "main");
  });
  const value = canPin && pinned !== undefined ? pinned : given;
  const error = useRunStore((state) => currentRun(state)?.nodes[nodeId]?.error);
  const { title, hint, label } = words[side];
  const failed = side === "output" && error !== undefined;
  if (value === undefined && !failed) {
    return (
      <EmptyState
        icon={side === "input" ? "arrow-right" : "arrow-up-right"}
        title={title}
        action={canPin ? <OutputPin nodeId={nodeId} /> : undefined}
      >
        {hint}
      </EmptyState>
    );
  }
  return (
    <div className="flex flex-col gap-3 p-4">
      {failed && (
        <Notice tone="danger" title={error.message}>
          {error.hint}
        </Notice>
      )}
      {canPin && <OutputPin nodeId={nodeId} />}
      {value !== undefined && (
        <section>
          <header className="mb-1 flex items-center justify-between">
            <h2 className="text-xs font-medium text-muted">{value === given ? label : "What the node returns"}</h2>
            <CopyButton text={() => JSON.stringify(value, null, 2)} label="Copy as JSON" />
          </header>
          <JsonTree
            value={value}
            label={label}
            expression={dataExpression(store.getState().document, nodeId, side, value)}
          />
        </section>
      )}
    </div>
  );
}
