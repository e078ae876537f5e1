import type { NodeRecord } from "../../engine/document/workflow-document.ts";
import { setNotes } from "../../state/commands/set-config.ts";
import { useEditor } from "../../state/editor/editor-context.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { Textarea } from "../../ui/fields/textarea.tsx";

/** Words about the node for whoever opens the workflow next. They have no effect on runs. */
export function NotesTab({ node }: { node: NodeRecord }) {
  const { context } = useEditor();
  return (
    <div className="p-4">
      <Field label="Notes" help="For people; models never see them.">
        {(control) => (
          <Textarea
            {...control}
            rows={8}
            value={node.notes ?? ""}
            placeholder="Why this node is here, what to watch for"
            onFocus={() => context.document.getState().mark()}
            onChange={(event) => setNotes(context, node.id, event.target.value)}
          />
        )}
      </Field>
    </div>
  );
}
