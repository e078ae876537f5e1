import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { slugOf } from "../../evaluation/suite/suite-folder.ts";
import type { RunnableSuite } from "../../state/evaluation/open-suite.ts";
import { useServices } from "../../services/services-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { CopyButton } from "../../ui/buttons/copy-button.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { downloadFile } from "../../ui/data/download-json.ts";
import { errorHint } from "../../ui/feedback/error-hint.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { exportSuite, type SuiteExport } from "./export-suite.ts";
import { zipFiles } from "./zip-files.ts";

/** Writes a suite with its recordings to files that pass in any CI, after trying them in the same way. */
export function ExportSuiteDialog({ open, onClose }: { open: RunnableSuite; onClose: () => void }) {
  const services = useServices();
  const stopping = useRef<AbortController | null>(null);
  const [records, setRecords] = useState(true);
  const [leavesOut, setLeavesOut] = useState(true);
  const [progress, setProgress] = useState("");
  const unrecorded = open.cases.filter(({ hasCassette }) => !hasCassette).length;
  const prepare = useMutation({
    mutationFn: () => {
      const controller = new AbortController();
      stopping.current = controller;
      const { signal } = controller;
      return exportSuite(services, open, { records, signal, onProgress: setProgress });
    },
  });
  useEffect(() => () => stopping.current?.abort(), []);
  const made = prepare.data;
  const download = () => {
    if (!made) return;
    const { files } = made.write(!leavesOut);
    downloadFile(`${slugOf(open.stored.name, "suite")}-ci.zip`, "application/zip", zipFiles(files));
    onClose();
  };
  const count = made ? made.passing.length + (leavesOut ? 0 : made.failing.length) : 0;
  return (
    <Dialog
      open
      modalOnly
      onOpenChange={onClose}
      title="Export for CI"
      description="The suite, its cases, the workflow and the recorded answers as files, which are tried before they are written. They run in any CI, without keys and network."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {made ? (
            <Button variant="primary" icon="download" disabled={count === 0} onClick={download}>
              Download {count === 1 ? "1 case" : `${count} cases`}
            </Button>
          ) : (
            <Button variant="primary" busy={prepare.isPending} onClick={() => prepare.mutate()}>
              Try the recordings
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {!made && (
          <p className="numeric">
            {open.cases.length - unrecorded} of {open.cases.length} cases are recorded.
            {open.suite.judge !== undefined && " The judge is asked once about each answer, and what it says is kept."}
          </p>
        )}
        {!made && unrecorded > 0 && (
          <label className="flex items-start gap-2">
            <input
              type="checkbox"
              className="mt-1 size-4 shrink-0 accent-accent"
              checked={records}
              disabled={prepare.isPending}
              onChange={(event) => setRecords(event.target.checked)}
            />
            Run the others once now to record them. Models are asked and tools called; those that change something only
            where the settings name them.
          </label>
        )}
        {prepare.isPending && (
          <p role="status" className="numeric text-sm text-muted">
            {progress}
          </p>
        )}
        {prepare.isError && (
          <Notice tone="danger" title={prepare.error.message}>
            {errorHint(prepare.error)}
          </Notice>
        )}
        {made && <Outcome made={made} leavesOut={leavesOut} onLeaveOut={setLeavesOut} />}
      </div>
    </Dialog>
  );
}

interface OutcomeProps {
  made: SuiteExport;
  leavesOut: boolean;
  onLeaveOut(leavesOut: boolean): void;
}

function Outcome({ made, leavesOut, onLeaveOut }: OutcomeProps) {
  const { passing, failing, unrecorded, notes } = made;
  const command = `npm run --silent evaluate -- ${made.write(false).suite} --replay all`;
  return (
    <>
      <p role="status" className="numeric">
        {passing.length} of {passing.length + failing.length + unrecorded.length} cases pass from their recordings.
      </p>
      {failing.length > 0 && (
        <Notice tone="warning" title="These do not pass">
          <ul className="flex flex-col gap-1">
            {failing.map(({ caseId, reason }) => (
              <li key={caseId}>
                <span className="font-medium">{caseId}</span>: {reason}
              </li>
            ))}
          </ul>
          <label className="mt-2 flex items-center gap-2 text-ink">
            <input
              type="checkbox"
              className="size-4 shrink-0 accent-accent"
              checked={leavesOut}
              onChange={(event) => onLeaveOut(event.target.checked)}
            />
            Leave them out
          </label>
        </Notice>
      )}
      {unrecorded.length > 0 && <Notice title="Not recorded, so left out">{unrecorded.join(", ")}</Notice>}
      {notes.length > 0 && (
        <Notice tone="warning" title="Worth knowing">
          <ul>
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </Notice>
      )}
      <div className="flex items-center gap-2 rounded-md border bg-canvas py-1 pr-1 pl-3">
        <code className="min-w-0 flex-1 text-xs wrap-anywhere">{command}</code>
        <CopyButton text={() => command} label="Copy the command" />
      </div>
      <p className="text-xs text-muted">
        One trial for each recording: the gate and other versions to compare are left out of the files, since recordings
        answer the same each time. Every case has to pass instead.
      </p>
    </>
  );
}
