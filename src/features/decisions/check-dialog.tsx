import { useMemo, useState } from "react";
import { type CheckableCall, checkableCalls } from "../../evaluation/steps/checkable-calls.ts";
import { useServices } from "../../state/editor/editor-context.tsx";
import { type DecisionCheck, useDecisionCheck } from "../../state/evaluation/decision-checks.ts";
import { panelStore } from "../../state/editor/panel-store.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { formatCost } from "../../ui/text/format-amount.ts";
import { Input } from "../../ui/fields/input.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Select } from "../../ui/fields/select.tsx";
import { showError } from "../../ui/feedback/toast.tsx";
import { CallStability } from "./call-stability.tsx";
import { type CheckedRun, runCheck } from "./run-check.ts";

const choices = [3, 5, 10, 20] as const;

interface CheckDialogProps extends CheckedRun {
  onClose: () => void;
}

/** Asks how often, says what it may cost, and shows what came of it. It goes on when the dialog is closed. */
export function CheckDialog({ onClose, ...run }: CheckDialogProps) {
  const calls = useMemo(() => checkableCalls(run.events), [run.events]);
  const services = useServices();
  const check = useDecisionCheck(run.runId);
  const [trials, setTrials] = useState<number>(5);
  const [limit, setLimit] = useState("1");
  const maxCostUsd = Number(limit);
  const validLimit = limit.trim() !== "" && Number.isFinite(maxCostUsd) && maxCostUsd > 0;
  const masked = [...(run.document.privacy?.mask ?? []), ...(run.document.privacy?.patterns ?? [])].length > 0;
  const running = check?.status === "running";
  const show = (callId: string) => {
    panelStore.getState().chooseStep(callId);
    panelStore.getState().show("steps");
    onClose();
  };
  return (
    <Dialog
      open
      size="lg"
      onOpenChange={onClose}
      title="How stable is each decision?"
      description="Each model call of this run is made again with exactly what it was sent. No tool is called and nothing is saved."
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          {running ? (
            <Button icon="square" onClick={check.stop}>
              Stop
            </Button>
          ) : (
            <Button
              variant="primary"
              icon="repeat"
              disabled={!validLimit || calls.length === 0}
              onClick={() => runCheck(services, { ...run, trials, maxCostUsd }).catch(showError)}
            >
              {check ? "Check again" : "Check"}
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {masked && (
          <Notice title="The recording is masked">
            Where the workflow&apos;s privacy settings masked something, the model is sent the mask in its place.
          </Notice>
        )}
        <div className="grid gap-3 sm:grid-cols-2">
          <Field label="How often" help={`${requests(calls.length * trials)}, ${priceWords(calls, trials)}`}>
            {(field) => (
              <Select
                {...field}
                value={String(trials)}
                disabled={running}
                options={choices.map((each) => ({ value: String(each), label: `${each} times each` }))}
                onValueChange={(value) => setTrials(Number(value))}
              />
            )}
          </Field>
          <Field
            label="Stop at (US dollars)"
            help="No more requests are made once this is spent."
            {...(validLimit ? {} : { error: "Enter an amount above 0, such as 0.50." })}
          >
            {(field) => (
              <Input
                {...field}
                inputMode="decimal"
                value={limit}
                disabled={running}
                onChange={(event) => setLimit(event.target.value)}
              />
            )}
          </Field>
        </div>
        {check && <Results runId={run.runId} check={check} onShow={show} />}
      </div>
    </Dialog>
  );
}

interface ResultsProps {
  runId: string;
  check: DecisionCheck;
  onShow: (callId: string) => void;
}

function Results({ runId, check, onShow }: ResultsProps) {
  return (
    <section aria-label="Decisions" className="flex flex-col gap-2">
      <p role="status" className="text-sm text-muted">
        {statusWords(check)}
      </p>
      <ol className="divide-y rounded-md border">
        {check.calls.map(({ callId }, index) => (
          <li key={callId} className="flex flex-col gap-1 px-3 py-2">
            <div className="flex items-center gap-2">
              <span className="font-medium">Model call {index + 1}</span>
              <Button size="sm" className="ml-auto" onClick={() => onShow(callId)}>
                Show in Steps
              </Button>
            </div>
            <CallStability runId={runId} callId={callId} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function statusWords({ status, samples, trials, calls, isKept }: DecisionCheck): string {
  const all = Object.values(samples).flat();
  const spent = all.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0);
  const cost = spent > 0 ? `, ${formatCost(spent)}` : "";
  if (status === "running") return `${all.length} of ${requests(trials * calls.length)} made${cost}.`;
  if (status === "budget") return `Stopped at the limit after ${requests(all.length)}${cost}.`;
  if (status === "stopped") return `Stopped after ${requests(all.length)}${cost}.`;
  const kept = isKept ? "in this browser" : "until this tab is closed, since the workflow masks what is said";
  return `${requests(all.length)} made${cost}. The results are kept ${kept}.`;
}

const requests = (count: number) => (count === 1 ? "1 request" : `${count} requests`);

function priceWords(calls: readonly CheckableCall[], trials: number): string {
  if (calls.some(({ costUsd }) => costUsd === null)) return "price unknown";
  return `about ${formatCost(calls.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0) * trials)}`;
}
