import { useState } from "react";
import type { ReplayOptions } from "../../engine/run/replay/replay-options.ts";
import { recordedPart } from "../../engine/run/replay/recorded-part.ts";
import { recordingOf } from "../../engine/run/replay/recording.ts";
import { useDocumentStore, useEditor } from "../../state/editor/editor-context.tsx";
import { panelStore } from "../../state/editor/panel-store.ts";
import type { RunControl } from "../../state/run/run-control.ts";
import { currentRun } from "../../state/run/run-store.ts";
import type { CallStep } from "../../state/run/step-actions.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { DialogActions } from "../../ui/overlays/dialog-actions.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { Select } from "../../ui/fields/select.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { RefusedRun } from "../../ui/feedback/refused-run.tsx";
import { Switch } from "../../ui/fields/switch.tsx";
import { Textarea } from "../../ui/fields/textarea.tsx";
import { type ForkKind, forkKinds, forkTexts, readFork } from "./fork-change.ts";

const words: Record<ForkKind, string> = {
  request: "Ask something else",
  response: "Give another answer",
  arguments: "Call with other arguments",
  result: "Give another result",
  again: "The same again, for real",
};

const explained: Record<ForkKind, string> = {
  request: "The model is asked these messages, for real.",
  response: "The model is not asked; this is its answer, and tools that it had called are not called.",
  arguments: "The tool is called with these arguments, for real.",
  result: "The tool is not called; the model reads this.",
  again: "The call is made once more as it was.",
};

const roles = { system: "System", user: "User", assistant: "Assistant", tool: "Tool result" } as const;

interface ForkDialogProps {
  step: CallStep;
  control: Pick<RunControl, "start" | "blocked">;
  onClose: () => void;
}

/** Asks what is to be different at a recorded call, and runs on from there. All before it is served from the recording. */
export default function ForkDialog({ step, control, onClose }: ForkDialogProps) {
  const { runs, document, registry } = useEditor();
  const [part] = useState(() => {
    const shown = currentRun(runs.getState());
    return shown && recordedPart(runs.events(shown.runId), document.getState().document, registry);
  });
  const masked = useDocumentStore(
    ({ document: { privacy } }) => [...(privacy?.mask ?? []), ...(privacy?.patterns ?? [])].length > 0,
  );
  const kinds = forkKinds(step);
  const [kind, setKind] = useState<ForkKind>(kinds[0] ?? "again");
  const [texts, setTexts] = useState(() => forkTexts(step, kind));
  const [succeeds, setSucceeds] = useState(step.kind === "tool" && step.end?.ok !== false);
  // What was typed is kept for another try.
  const [refused, setRefused] = useState(false);
  const read = readFork(step, kind, texts, succeeds);
  const callId = step.kind === "model" ? step.request.callId : step.start.callId;
  const labels =
    step.kind === "model" && kind === "request" ? step.request.messages.map(({ role }) => roles[role]) : [];

  const choose = (next: string) => {
    const chosen = kinds.find((each) => each === next);
    if (chosen === undefined) return;
    setKind(chosen);
    setTexts(forkTexts(step, chosen));
  };
  const run = () => {
    const shown = currentRun(runs.getState());
    if (!read.ok || shown === undefined || part === undefined) return;
    const workflow = document.getState().document;
    const replay: ReplayOptions = {
      recording: recordingOf(runs.events(shown.runId), workflow),
      ...(read.change === null ? { until: callId } : { changes: { [callId]: read.change } }),
    };
    if (control.start(shown.input ?? {}, { ...part, document: workflow, replay }) === null) return setRefused(true);
    panelStore.getState().chooseStep(null);
    onClose();
  };

  return (
    <Dialog
      open
      modalOnly
      size="lg"
      onOpenChange={onClose}
      title="Fork from here"
      description="A new run: what came before this call is served from the recording, free and offline. From here on it runs for real."
      footer={
        <DialogActions onCancel={onClose} icon="git-fork" disabled={!read.ok || part === undefined} onClick={run}>
          Continue from here
        </DialogActions>
      }
    >
      <div className="flex flex-col gap-3">
        {refused && <RefusedRun title="The workflow of this run cannot run" problems={control.blocked} />}
        {part === undefined && (
          <Notice tone="danger" title="This run covered only part of the workflow, and which part was not stored">
            It was made by an older version. Run that part again in the editor, and fork the new run.
          </Notice>
        )}
        {masked && (
          <Notice title="The recording is masked">
            Where the workflow&apos;s privacy settings masked something, in what was said or in prompts and pinned data,
            the new run sends the mask in its place.
          </Notice>
        )}
        {step.kind === "tool" && step.end === undefined && kind !== "result" && (
          <Notice title="This call may have been made already">
            The run was interrupted during it. Check whether it took effect before you make it again.
          </Notice>
        )}
        <Field label="What is different" help={explained[kind]}>
          {(field) => (
            <Select
              {...field}
              value={kind}
              options={kinds.map((each) => ({ value: each, label: words[each] }))}
              onValueChange={choose}
            />
          )}
        </Field>
        {texts.map((text, index) => (
          <Field
            key={`${kind} ${index}`}
            label={labels[index] ?? (kind === "response" ? "Answer" : kind === "result" ? "Result" : "Arguments")}
            error={read.ok ? undefined : read.problem}
            help={step.kind === "tool" ? "JSON" : undefined}
          >
            {(field) => (
              <Textarea
                {...field}
                mono={step.kind === "tool"}
                rows={step.kind === "tool" ? 6 : 2}
                maxRows={14}
                value={text}
                onChange={(event) => setTexts(texts.map((each, at) => (at === index ? event.target.value : each)))}
              />
            )}
          </Field>
        ))}
        {kind === "result" && (
          <Field label="The call succeeded" inline help="Off: the model reads it as an error.">
            {(field) => <Switch {...field} checked={succeeds} onCheckedChange={setSucceeds} />}
          </Field>
        )}
      </div>
    </Dialog>
  );
}
