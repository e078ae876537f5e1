import { visibleName } from "../../engine/text/visible-name.ts";
import { useState } from "react";
import type { CollectionSummary, IngestSource } from "../../services/knowledge.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { classNames } from "../../ui/theme/class-names.ts";
import { FilePicker } from "../../ui/fields/file-picker.tsx";
import { Icon } from "../../ui/icons/icon.tsx";
import { AddReview } from "./add-review.tsx";
import { costsNothing } from "./embedding-cost.ts";
import { PasteDialog } from "./paste-dialog.tsx";
import { useFileDrop } from "./use-file-drop.ts";
import { UrlDialog } from "./url-dialog.tsx";

interface AddDocumentsProps {
  collection: CollectionSummary;
  onAdd: (sources: readonly IngestSource[]) => void;
}

const accepted =
  ".txt,.log,.md,.mdx,.markdown,.html,.htm,.csv,.tsv,.json,.jsonl,.ndjson,.xml,.pdf,.docx,.xlsx,.pptx,.odt,.ods,.epub,.rtf,.eml,.msg,.png,.jpg,.jpeg,.webp,.gif,text/*,application/json,application/pdf,message/rfc822";

/** Where documents come in: dropped or chosen files, pasted text, the address of a page. */
export function AddDocuments({ collection, onAdd }: AddDocumentsProps) {
  const [open, setOpen] = useState<"paste" | "url" | null>(null);
  const [files, setFiles] = useState<readonly File[]>([]);
  const { embedding } = collection;

  function take(chosen: readonly File[]) {
    if (chosen.length === 0) return;
    if (costsNothing(embedding)) addFiles(chosen);
    else setFiles(chosen);
  }
  function addFiles(chosen: readonly File[]) {
    onAdd(chosen.map((file) => ({ type: "file", name: visibleName(file.name), blob: file })));
    setFiles([]);
  }
  const over = useFileDrop(take);

  return (
    <section
      aria-label="Add documents"
      className={classNames(
        "flex flex-wrap items-center gap-x-4 gap-y-3 rounded-lg border border-dashed px-4 py-4 transition-colors duration-100",
        over ? "border-accent bg-accent-soft" : "border-line-strong bg-surface",
      )}
    >
      <span className={over ? "text-accent" : "text-muted"}>
        <Icon name="upload" size={20} />
      </span>
      <div className="min-w-48 flex-1">
        <p className="font-medium">{over ? "Let go to add the files" : "Drop files here"}</p>
        <p className="text-xs text-muted">
          Text, tables, PDF, Office files, e-books, emails, scans or photos. They are read in this browser.
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <FilePicker
          label="Files to add"
          accept={accepted}
          multiple
          onFiles={take}
          trigger={<Button icon="upload">Choose files</Button>}
        />
        <Button icon="clipboard-paste" onClick={() => setOpen("paste")}>
          Paste text
        </Button>
        <Button icon="link" onClick={() => setOpen("url")}>
          Add a URL
        </Button>
      </div>
      {open === "paste" && <PasteDialog embedding={embedding} onClose={() => setOpen(null)} onAdd={onAdd} />}
      {open === "url" && <UrlDialog embedding={embedding} onClose={() => setOpen(null)} onAdd={onAdd} />}
      {files.length > 0 && embedding !== null && (
        <AddReview files={files} embedding={embedding} onClose={() => setFiles([])} onAdd={() => addFiles(files)} />
      )}
    </section>
  );
}
