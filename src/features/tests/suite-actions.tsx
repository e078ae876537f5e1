import { useState } from "react";
import { Button } from "../../ui/buttons/button.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { DialogActions } from "../../ui/overlays/dialog-actions.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { useSuite, useSuiteChanges, useSuiteRun } from "./use-suites.ts";
import { ExportSuiteDialog } from "./export-suite-dialog.tsx";

interface SuiteActionsProps {
  suiteId: string;
  onRun(): void;
  onGone(): void;
}

/** Run, stop, export, delete. */
export function SuiteActions({ suiteId, onRun, onGone }: SuiteActionsProps) {
  const suite = useSuite(suiteId);
  const running = useSuiteRun(suiteId);
  const { run, remove } = useSuiteChanges();
  const [deleting, setDeleting] = useState(false);
  const [exporting, setExporting] = useState(false);
  if (suite.data === undefined) return null;
  const start = () => {
    onRun();
    run.mutate({ suiteId, resume: false });
  };
  return (
    <>
      <IconButton
        icon="trash-2"
        label="Delete the suite"
        disabled={running !== undefined}
        onClick={() => setDeleting(true)}
      />
      <Button
        icon="download"
        disabled={running !== undefined || suite.data.cases.length === 0}
        onClick={() => setExporting(true)}
      >
        <span className="max-sm:sr-only">Export for CI</span>
      </Button>
      {running ? (
        <Button icon="square" busy={running.stopping} onClick={running.stop}>
          Stop
        </Button>
      ) : (
        <Button
          variant="primary"
          icon="play"
          busy={run.isPending}
          disabled={suite.data.cases.length === 0}
          onClick={start}
        >
          Run
        </Button>
      )}
      {exporting && <ExportSuiteDialog open={suite.data} onClose={() => setExporting(false)} />}
      {deleting && (
        <Dialog
          open
          onOpenChange={() => setDeleting(false)}
          size="sm"
          title={`Delete “${suite.data.stored.name}”?`}
          description="Its cases and results are deleted, too. This cannot be undone."
          footer={
            <DialogActions
              onCancel={() => setDeleting(false)}
              variant="danger"
              busy={remove.isPending}
              onClick={() => remove.mutate(suiteId, { onSuccess: onGone })}
            >
              Delete
            </DialogActions>
          }
        />
      )}
    </>
  );
}
