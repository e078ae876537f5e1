import type { KnowledgeHit } from "../../../engine/knowledge/knowledge.ts";
import type { PostgresTable } from "../../../engine/knowledge/postgres-table.ts";
import { buttonClass } from "../../../ui/buttons/button.tsx";
import { Dialog } from "../../../ui/overlays/dialog.tsx";
import { webAddress } from "./web-address.ts";
import { rowPlace } from "./row-place.ts";

/** A row that a search found, whole, with the way to its address. */
export function RowDialog(props: { hit: KnowledgeHit; table: PostgresTable; onClose: () => void }) {
  const { hit, table, onClose } = props;
  const { content, metadata } = hit;
  const address = webAddress(metadata["url"]);
  const place = rowPlace(metadata);
  return (
    <Dialog
      open
      size="lg"
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={metadata.document}
      description={`Row ${metadata.documentId} of ${table.table}`}
      footer={
        address !== undefined && (
          <a href={address} target="_blank" rel="noopener noreferrer" className={buttonClass("secondary", "sm")}>
            Open the address
          </a>
        )
      }
    >
      {place !== "" && <p className="mb-2 text-xs wrap-anywhere text-muted">{place}</p>}
      <p className="wrap-anywhere whitespace-pre-line">{content}</p>
    </Dialog>
  );
}
