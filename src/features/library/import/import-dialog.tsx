import { useMemo, useState } from "react";
import { Link } from "wouter";
import type { WorkflowDocument } from "../../../engine/document/workflow-document.ts";
import { newId } from "../../../state/shared/new-id.ts";
import { ServiceError } from "../../../services/services.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { useDialogMutation } from "../../../ui/overlays/use-dialog-mutation.ts";
import { Dialog } from "../../../ui/overlays/dialog.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Spinner } from "../../../ui/feedback/spinner.tsx";
import { freeName } from "../workflow-actions.ts";
import { type AskedValues, askedVariables, withAskedValues } from "./asked-values.ts";
import { AskedVariables } from "./asked-variables.tsx";
import { ImportReport, withChosen } from "./import-report.tsx";
import { ImportSource } from "./import-source.tsx";
import { placedDocument } from "../../../state/editing/placed-document.ts";
import { fileStorer } from "../../../state/file/file-bytes.ts";
import { useServices } from "../../../services/services-context.tsx";
import { storePinnedFiles } from "../pinned-files.ts";
import { type ImportFindings, readImport } from "./read-import.ts";
import { useOwnThings } from "./use-own-things.ts";

/**
 * Reads a workflow from outside, reports what was found, and hands it over when the person agrees: as a workflow of its
 * own, or, where `onAdd` is given, to be added to the open one.
 */
export function ImportDialog({
  text: given,
  fileName,
  busy,
  onClose,
  onImport,
  onAdd,
}: {
  /** What was dropped or pasted elsewhere; it is read at once. */
  text?: string;
  fileName?: string | undefined;
  /** Which of the two is under way. */
  busy: "import" | "add" | null;
  onClose: () => void;
  onImport: (document: WorkflowDocument) => void;
  onAdd?: (document: WorkflowDocument) => void;
}) {
  const things = useOwnThings();
  const [{ text, name: from }, setSource] = useState({ text: given, name: fileName });
  const [chosen, setChosen] = useState<Record<string, string>>({});
  const [values, setValues] = useState<AskedValues>({});
  const [skipped, setSkipped] = useState(false);
  /** What was asked for last. */
  const [way, setWay] = useState<"import" | "add">("import");
  // The nodes get their places, and files that came along are stored, which may take a while.
  const { files } = useServices();
  const placing = useDialogMutation({
    save: async (found: ImportFindings) => storePinnedFiles(await placedDocument(found), found.sent, fileStorer(files)),
  });
  const working = placing.isPending ? way : busy;
  const isBusy = working !== null;
  const own = things.data?.own;
  const result = useMemo(
    () => (text === undefined || own === undefined ? undefined : readImport(text, own, newId, from)),
    [text, from, own],
  );
  const findings = result?.ok ? result.findings : undefined;
  const asked = findings && !skipped ? askedVariables(findings.document) : [];
  const name = findings ? freeName(findings.document.name, things.data?.names ?? []) : "";

  function take(asked: "import" | "add", use: (document: WorkflowDocument) => void) {
    if (!findings) return;
    setWay(asked);
    const document = withAskedValues(withChosen(findings, chosen), skipped ? {} : values);
    placing.submit({ ...findings, document }, { onDone: (placed) => use({ ...placed, id: newId(), name }) });
  }

  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="lg"
      title="Import a workflow"
      description="Reading it runs nothing and contacts nothing."
      footer={
        <>
          {text === undefined ? null : (
            <Button
              // What had the focus, the place for a file, is gone.
              autoFocus
              className="mr-auto"
              disabled={isBusy}
              onClick={() => {
                setSource({ text: undefined, name: undefined });
                setChosen({});
                setValues({});
                setSkipped(false);
              }}
            >
              Choose another
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
          {onAdd && (
            <Button busy={working === "add"} disabled={!findings || isBusy} onClick={() => take("add", onAdd)}>
              Add to this workflow
            </Button>
          )}
          <Button
            variant="primary"
            busy={working === "import"}
            disabled={!findings || isBusy}
            onClick={() => take("import", onImport)}
          >
            {onAdd ? "Import as a new one" : "Import"}
          </Button>
        </>
      }
    >
      {text === undefined && (
        <>
          <ImportSource onText={(read, name) => setSource({ text: read, name })} />
          <p className="mt-3 text-muted">
            Several files, a folder, or something left to do from an earlier import?{" "}
            <Link href="/imports" className="font-medium text-accent hover:underline">
              Open Imports
            </Link>
          </p>
        </>
      )}
      {text !== undefined && result === undefined && !things.isError && <Spinner label="Reading" />}
      {text !== undefined && result === undefined && things.isError && (
        <Notice
          tone="danger"
          title={things.error.message}
          action={
            <Button size="sm" onClick={() => void things.refetch()}>
              Try again
            </Button>
          }
        >
          {things.error instanceof ServiceError && things.error.hint} What the workflow needs cannot be checked until
          they are loaded.
        </Notice>
      )}
      {result?.ok === false && (
        <Notice tone="danger" title="This cannot be imported">
          <ul className="list-disc pl-4">
            {result.problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </Notice>
      )}
      {findings && (
        <div className="flex flex-col gap-3">
          {placing.error && (
            <Notice tone="danger" title={placing.error.message}>
              {placing.error instanceof ServiceError && placing.error.hint}
            </Notice>
          )}
          <ImportReport
            findings={findings}
            name={name}
            own={things.data?.credentialList ?? []}
            chosen={chosen}
            onChoose={(nodeId, id) => setChosen({ ...chosen, [nodeId]: id })}
          />
          {asked.length > 0 && (
            <AskedVariables names={asked} values={values} onChange={setValues} onSkip={() => setSkipped(true)} />
          )}
        </div>
      )}
    </Dialog>
  );
}
