import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { NodeRecord } from "../../../engine/document/workflow-document.ts";
import { type CallerTerms, callerTerms } from "../../../engine/trust/caller-terms.ts";
import { setCallerTerms } from "../../../state/commands/set-caller-terms.ts";
import { useEditor } from "../../../state/editor/editor-context.tsx";
import { Dialog } from "../../../ui/overlays/dialog.tsx";
import { DialogActions } from "../../../ui/overlays/dialog-actions.tsx";
import { type ChosenFields, NodeFields } from "./node-fields.tsx";

/** Chooses which arguments of which tools callers may fill in. The choice is a part of the workflow, and of the next version. */
export function CallersDialog({ nodes, onClose }: { nodes: readonly NodeRecord[]; onClose: () => void }) {
  const { workflowId, document } = useEditor();
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<ReadonlyMap<string, ChosenFields>>(new Map());
  const save = () => {
    const terms = new Map<string, CallerTerms | undefined>();
    for (const [id, fields] of chosen) terms.set(id, callerTerms(fields));
    if (terms.size > 0) {
      setCallerTerms({ document }, terms);
      void queries.invalidateQueries({ queryKey: ["bundle", workflowId] });
    }
    onClose();
  };
  return (
    <Dialog
      open
      modalOnly
      onOpenChange={onClose}
      size="md"
      title="What callers may fill in"
      description="Callers reach the workflow by its chat page, the API, a webhook or MCP. A ticked value may be any that a caller writes himself. What a page or a file brings, and everything that is not ticked, still asks you."
      footer={
        <DialogActions onCancel={onClose} onClick={save} disabled={chosen.size === 0}>
          Save
        </DialogActions>
      }
    >
      <div className="flex flex-col gap-5">
        {nodes.map((node) => (
          <NodeFields
            key={node.id}
            node={node}
            chosen={chosen.get(node.id)}
            onChange={(fields) => setChosen((before) => new Map(before).set(node.id, fields))}
          />
        ))}
      </div>
    </Dialog>
  );
}
