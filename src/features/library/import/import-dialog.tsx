import { type DragEvent, useRef, useState } from "react";
import type { ReadResult } from "../../engine/document/read-document.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { newId } from "../../stores/new-id.ts";
import { useServices } from "../../stores/services-context.tsx";
import { Button } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Notice } from "../../ui/notice.tsx";
import { withOwnCredentials } from "./workflow-actions.ts";

/** Reads a workflow file, says what was found, and hands the workflow over when the user agrees. */
export function ImportDialog({
  open,
  onOpenChange,
  busy,
  onImport,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  busy: boolean;
  onImport: (document: WorkflowDocument) => void;
}) {
  const { credentials } = useServices();
  const [reading, setReading] = useState<ReadResult | null>(null);
  const [hovered, setHovered] = useState(false);
  const input = useRef<HTMLInputElement>(null);

  async function read(file: File | undefined) {
    if (file === undefined) return;
    const [text, { readWorkflowFile }] = await Promise.all([file.text(), import("./read-workflow-file.ts")]);
    const found = readWorkflowFile(text, newId);
    setReading(found.ok ? await checkCredentials(found) : found);
  }

  async function checkCredentials(found: Extract<ReadResult, { ok: true }>): Promise<ReadResult> {
    const own = await credentials.list().catch(() => []);
    const { document, removed } = withOwnCredentials(found.document, new Set(own.map(({ id }) => id)));
    const note = `${removed === 1 ? "One node names a credential" : `${removed} nodes name credentials`} of another account; choose one of yours there.`;
    return { ok: true, document, notes: removed === 0 ? found.notes : [...found.notes, note] };
  }

  function close(next: boolean) {
    if (!next) setReading(null);
    onOpenChange(next);
  }

  function drop(event: DragEvent) {
    event.preventDefault();
    setHovered(false);
    void read(event.dataTransfer.files[0]);
  }

  const fits = reading?.ok === true;
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title="Import a workflow"
      description="A file that was exported here, or one written by hand. Nothing runs and nothing is requested while it is read."
      footer={
        <>
          <Button onClick={() => close(false)}>Cancel</Button>
          <Button
            variant="primary"
            disabled={!fits}
            busy={busy}
            onClick={() => {
              if (fits) onImport({ ...reading.document, id: newId() });
            }}
          >
            Import
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <button
          type="button"
          onClick={() => input.current?.click()}
          onDragOver={(event) => {
            event.preventDefault();
            setHovered(true);
          }}
          onDragLeave={() => setHovered(false)}
          onDrop={drop}
          className={classNames(
            "flex flex-col items-center gap-1 rounded-lg border border-dashed px-4 py-8 text-muted transition-colors duration-100 hover:border-accent hover:text-ink",
            hovered ? "border-accent bg-accent-soft" : "border-line-strong",
          )}
        >
          <Icon name="file-json" size={24} />
          <span className="font-medium text-ink">Choose a JSON file</span>
          <span>or drop it here</span>
        </button>
        <input
          ref={input}
          type="file"
          accept=".json,application/json"
          className="hidden"
          aria-label="Workflow file"
          onChange={(event) => {
            void read(event.target.files?.[0]);
            event.target.value = "";
          }}
        />
        {reading !== null && <Report reading={reading} />}
      </div>
    </Dialog>
  );
}

function Report({ reading }: { reading: ReadResult }) {
  if (!reading.ok) {
    return (
      <Notice tone="danger" title="This file cannot be imported">
        <Lines lines={reading.problems} />
      </Notice>
    );
  }
  const { document, notes } = reading;
  const nodes = Object.keys(document.nodes).length;
  return (
    <Notice
      tone={notes.length === 0 ? "success" : "warning"}
      title={`"${document.name}" with ${nodes} ${nodes === 1 ? "node" : "nodes"}`}
    >
      {notes.length === 0 ? "Ready to import." : <Lines lines={notes} />}
    </Notice>
  );
}

function Lines({ lines }: { lines: readonly string[] }) {
  return (
    <ul className="list-disc pl-4">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
