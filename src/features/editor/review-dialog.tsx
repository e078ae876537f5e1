import { describeFields } from "../../engine/config/describe-fields.ts";
import { definitionOf } from "../../engine/document/can-connect.ts";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import { awaitingReview } from "../../engine/document/review.ts";
import type { NodeRecord } from "../../engine/document/workflow-document.ts";
import { useDocumentStore, useEditor } from "../../state/editor/editor-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";

/** Characters of one setting that are shown; the node's settings show all of it. */
const longest = 600;

/** The settings that differ from a new node's, as a person sees them in the form. */
function settingsOf(registry: NodeRegistry, node: NodeRecord): { label: string; text: string }[] {
  const definition = definitionOf(registry, node.type);
  const fields = definition ? describeFields(definition.config) : [];
  return fields.flatMap(({ name, label, default: usual }) => {
    const value = node.config[name];
    if (value === undefined || value === "" || JSON.stringify(value) === JSON.stringify(usual)) return [];
    const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
    return [{ label, text: text.length > longest ? `${text.slice(0, longest)}…` : text }];
  });
}

/** The imported nodes that no run takes yet: what each would do, with its settings, and the way to agree. */
export function ReviewDialog({ onClose }: { onClose: () => void }) {
  const { document: store, canvas, registry } = useEditor();
  const document = useDocumentStore((state) => state.document);
  const waiting = awaitingReview(document, registry);

  function accept(ids: readonly string[]) {
    store.getState().edit(ids.length === 1 ? "Mark as reviewed" : "Mark all as reviewed", (draft) => {
      for (const id of ids) delete draft.nodes[id]?.unreviewed;
    });
    if (ids.length === waiting.length) onClose();
  }

  function go(id: string) {
    onClose();
    canvas.getState().select([id]);
    canvas.getState().controls?.reveal(id);
    canvas.setState({ inspectorTab: "settings" });
  }

  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="lg"
      title="Review imported nodes"
      description="These came with an import and would contact something or run code. Check that each does what you want; until then they do not run."
      footer={
        <>
          <Button onClick={onClose}>Later</Button>
          <Button variant="primary" onClick={() => accept(waiting.map(({ node }) => node.id))}>
            Mark all as reviewed
          </Button>
        </>
      }
    >
      <ul className="flex flex-col gap-3">
        {waiting.map(({ node, outreach }) => (
          <li key={node.id} className="rounded-lg border">
            <div className="flex flex-wrap items-center gap-2 px-3 py-2">
              <p className="min-w-0 flex-1 wrap-anywhere">
                <span className="font-medium">{node.title}</span> <span className="text-muted">{outreach}</span>
              </p>
              <Button size="sm" variant="ghost" onClick={() => go(node.id)}>
                Go to node
              </Button>
              <Button size="sm" aria-label={`${node.title} is reviewed`} onClick={() => accept([node.id])}>
                Reviewed
              </Button>
            </div>
            <Settings settings={settingsOf(registry, node)} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function Settings({ settings }: { settings: readonly { label: string; text: string }[] }) {
  if (settings.length === 0) return null;
  return (
    <dl className="flex flex-col gap-1 border-t px-3 py-2 text-xs">
      {settings.map(({ label, text }) => (
        <div key={label}>
          <dt className="text-muted">{label}</dt>
          <dd className="max-h-40 overflow-y-auto font-mono wrap-anywhere whitespace-pre-wrap">{text}</dd>
        </div>
      ))}
    </dl>
  );
}
