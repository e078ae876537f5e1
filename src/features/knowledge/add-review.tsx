import { visibleName } from "../../engine/text/visible-name.ts";
import type { KnowledgeEmbedding } from "../../engine/knowledge/knowledge.ts";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { DialogActions } from "../../ui/overlays/dialog-actions.tsx";
import { formatBytes } from "../../ui/text/format-bytes.ts";
import { costText, tokensOfFile } from "./embedding-cost.ts";
import { counted } from "./ingest-text.ts";

interface AddReviewProps {
  files: readonly File[];
  embedding: KnowledgeEmbedding;
  onClose: () => void;
  onAdd: () => void;
}

/** What embedding the chosen files will cost, before any of them is sent. */
export function AddReview({ files, embedding, onClose, onAdd }: AddReviewProps) {
  const tokens = files.reduce((sum, file) => sum + tokensOfFile(file), 0);
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={`Add ${counted(files.length, "file")}?`}
      description={costText(embedding, tokens)}
      footer={
        <DialogActions onCancel={onClose} onClick={onAdd}>
          Add and embed
        </DialogActions>
      }
    >
      <ul className="flex flex-col divide-y divide-line">
        {files.map((file, index) => (
          <li key={`${file.name} ${index}`} className="flex gap-3 py-1.5">
            <span className="min-w-0 flex-1 truncate">{visibleName(file.name)}</span>
            <span className="text-muted numeric">{formatBytes(file.size)}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
