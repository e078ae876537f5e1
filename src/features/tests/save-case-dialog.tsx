import { useId, useMemo, useState } from "react";
import { cassetteOf } from "../../engine/evaluation/run/cassette.ts";
import type { CaseStart } from "../../engine/evaluation/suite/case-start.ts";
import { proposeCase } from "../../engine/evaluation/suite/propose-case.ts";
import type { RunEvent } from "../../engine/run/events.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogActions } from "../../ui/dialog-actions.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { Select } from "../../ui/select.tsx";
import { showToast } from "../../ui/toast.tsx";
import { useIsOpen } from "../../ui/use-is-open.ts";
import { useSuiteChanges, useSuitesOf } from "./use-suites.ts";

interface SaveCaseDialogProps {
  workflowId: string;
  events: readonly RunEvent[];
  /** The step that the events are of; a whole run when absent. */
  step?: CaseStart;
  onOpenSuite(suiteId: string): void;
  onClose(): void;
}

/** Makes a case of a run or of one step of it: its input, what its steps let one expect, and its recorded exchanges. */
export function SaveCaseDialog({ workflowId, events, step, onOpenSuite, onClose }: SaveCaseDialogProps) {
  const form = useId();
  const suites = useSuitesOf(workflowId);
  const { create, addCases } = useSuiteChanges();
  const isOpen = useIsOpen();
  const proposed = useMemo(() => proposeCase(events, step), [events, step]);
  const [chosen, setChosen] = useState<string | null>(null);
  const [suiteName, setSuiteName] = useState("");
  const [name, setName] = useState(proposed.case.id);
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const [keeps, setKeeps] = useState(true);
  // What was before a call is served from the recording, so without it there is no such case.
  const needsRecording = step?.call !== undefined;
  const known = suites.data ?? [];
  const suiteId = chosen ?? known[0]?.id ?? "";
  const ready = name.trim() !== "" && (suiteId !== "" || suiteName.trim() !== "") && !suites.isPending;

  const submit = async () => {
    const assert = proposed.proposals.filter((_, index) => !left.has(index)).map(({ assertion }) => assertion);
    const made = { ...proposed.case, id: name.trim(), assert };
    const cassette = keeps || needsRecording ? { cassette: cassetteOf([events], undefined) } : {};
    try {
      const id =
        suiteId || (await create.mutateAsync({ name: suiteName.trim(), workflowId, settings: { trials: 3 } })).id;
      setChosen(id);
      await addCases.mutateAsync({ suiteId: id, cases: [{ case: made, ...cassette }] });
      // Closed meanwhile, it may have been opened anew.
      if (isOpen()) onClose();
      showToast(`“${made.id}” is a test case now`, {
        action: { label: "Open the suite", onClick: () => onOpenSuite(id) },
      });
    } catch {
      // The dialog stays, and a toast says why.
    }
  };

  return (
    <Dialog
      open
      modalOnly
      onOpenChange={onClose}
      title="Save as test case"
      description={descriptionOf(step)}
      footer={
        <DialogActions
          onCancel={onClose}
          type="submit"
          form={form}
          disabled={!ready}
          busy={create.isPending || addCases.isPending}
        >
          Save
        </DialogActions>
      }
    >
      <form
        id={form}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {known.length > 0 && (
          <Field label="Suite">
            {(control) => (
              <Select
                {...control}
                value={suiteId}
                onValueChange={setChosen}
                options={[
                  ...known.map((suite) => ({ value: suite.id, label: suite.name })),
                  { value: "", label: "A new suite" },
                ]}
              />
            )}
          </Field>
        )}
        {suiteId === "" && (
          <Field label="Name of the new suite" required>
            {(control) => (
              <Input
                {...control}
                value={suiteName}
                maxLength={200}
                autoComplete="off"
                onChange={(event) => setSuiteName(event.target.value)}
              />
            )}
          </Field>
        )}
        <Field label="Name of the case" required>
          {(control) => (
            <Input
              {...control}
              value={name}
              maxLength={200}
              autoComplete="off"
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Field label="Expect" group help="More can be expected later, on the page of the suite.">
          {() => (
            <ul className="flex flex-col rounded-md border p-1">
              {proposed.proposals.map(({ words }, index) => (
                <li key={words}>
                  <Choice
                    checked={!left.has(index)}
                    onChange={(on) =>
                      setLeft((before) => new Set(on ? [...before].filter((one) => one !== index) : [...before, index]))
                    }
                  >
                    {words}
                  </Choice>
                </li>
              ))}
            </ul>
          )}
        </Field>
        {!needsRecording && (
          <Choice checked={keeps} onChange={setKeeps}>
            Keep the recorded answers, so that the case can run free and offline
          </Choice>
        )}
      </form>
    </Dialog>
  );
}

function descriptionOf(step: CaseStart | undefined): string {
  if (!step) return "The same input is tried again, and what you choose here is checked.";
  const name = step.title ?? step.node;
  return step.call === undefined
    ? `“${name}” alone is tried again with the input that it had, and what you choose here is checked.`
    : `“${name}” is tried again from this call on: what it did before is taken from the recording. What you choose here is checked.`;
}

function Choice({
  checked,
  onChange,
  children,
}: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: string;
}) {
  return (
    <label className="flex min-h-8 items-center gap-2 rounded-sm px-2 hover:bg-hover">
      <input
        type="checkbox"
        className="size-4 shrink-0 accent-accent"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className="wrap-anywhere">{children}</span>
    </label>
  );
}
