import { useId, useMemo, useState } from "react";
import { comparisons } from "../../evaluation/assertions/expected-kinds.ts";
import { checksNothing, readsExpected } from "../../evaluation/assertions/trial-assertions.ts";
import { cassetteOf } from "../../evaluation/run/cassette.ts";
import type { CaseStart } from "../../evaluation/suite/case-start.ts";
import { proposeCase } from "../../evaluation/suite/propose-case.ts";
import type { EvaluationCase } from "../../evaluation/suite/evaluation-case.ts";
import type { RunEvent } from "../../engine/run/events.ts";
import { useServices } from "../../services/services-context.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { DialogActions } from "../../ui/overlays/dialog-actions.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { Input } from "../../ui/fields/input.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Select } from "../../ui/fields/select.tsx";
import { showToast } from "../../ui/feedback/toast.tsx";
import { inOneLine } from "./suite-text.ts";
import { useDialogMutation } from "../../ui/overlays/use-dialog-mutation.ts";
import { comparisonAssertion } from "./expected-comparison.ts";
import { useRefreshSuites, useSuitesOf } from "./use-suites.ts";

type Comparison = (typeof comparisons)[number] | "none";

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
  const { evaluations } = useServices();
  const proposed = useMemo(() => proposeCase(events, step), [events, step]);
  const [chosen, setChosen] = useState<string | null>(null);
  const [suiteName, setSuiteName] = useState("");
  const [name, setName] = useState(proposed.case.id);
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const [keeps, setKeeps] = useState(true);
  const { expected } = proposed.case;
  // Models word an answer anew each time: where something else is checked, it is kept for reference alone.
  const [comparison, setComparison] = useState<Comparison>(proposed.proposals.length > 0 ? "none" : "contains");
  // What was before a call is served from the recording, so without it there is no such case.
  const needsRecording = step?.call !== undefined;
  const known = suites.data ?? [];
  const suiteId = chosen ?? known[0]?.id ?? "";
  const ready = name.trim() !== "" && (suiteId !== "" || suiteName.trim() !== "") && !suites.isPending;

  const suite = known.find(({ id }) => id === suiteId);
  const chosenAssertions = proposed.proposals.filter((_, index) => !left.has(index)).map(({ assertion }) => assertion);
  const isCompared = chosenAssertions.some(readsExpected);
  const assert =
    expected === undefined || isCompared ? chosenAssertions : [...chosenAssertions, comparisonAssertion(comparison)];
  const suiteAssertions = Array.isArray(suite?.settings.defaultAssert) && suite.settings.defaultAssert.length > 0;
  const isBare = !suiteAssertions && checksNothing({ defaultAssert: [] }, { ...proposed.case, assert });

  const saving = useDialogMutation({
    save: async (made: EvaluationCase) => {
      const id =
        suiteId || (await evaluations.create({ name: suiteName.trim(), workflowId, settings: { trials: 3 } })).id;
      setChosen(id);
      const cassette = keeps || needsRecording ? { cassette: cassetteOf([events], undefined) } : {};
      await evaluations.addCases(id, [{ case: made, ...cassette }]);
      return id;
    },
    onSaved: (id, made) =>
      showToast(`“${made.id}” is a test case now`, {
        action: { label: "Open the suite", onClick: () => onOpenSuite(id) },
      }),
    refresh: useRefreshSuites(),
  });

  return (
    <Dialog
      open
      modalOnly
      onOpenChange={onClose}
      title="Save as test case"
      description={descriptionOf(step)}
      footer={
        <DialogActions onCancel={onClose} type="submit" form={form} disabled={!ready} busy={saving.isPending}>
          Save
        </DialogActions>
      }
    >
      <form
        id={form}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          saving.submit({ ...proposed.case, id: name.trim(), assert }, { onDone: onClose });
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
        {proposed.proposals.length > 0 && (
          <Field label="Expect" group help="More can be expected later, on the page of the suite.">
            {() => (
              <ul className="flex flex-col rounded-md border p-1">
                {proposed.proposals.map(({ words }, index) => (
                  <li key={words}>
                    <Choice
                      checked={!left.has(index)}
                      onChange={(on) =>
                        setLeft(
                          (before) => new Set(on ? [...before].filter((one) => one !== index) : [...before, index]),
                        )
                      }
                    >
                      {words}
                    </Choice>
                  </li>
                ))}
              </ul>
            )}
          </Field>
        )}
        {expected !== undefined && !isCompared && (
          <Field
            label="Compare the answer with this one"
            help={
              comparison === "judge" && suite?.settings.judge === undefined
                ? "Choose a judge in the suite's settings before it runs."
                : `In this run: ${inOneLine(expected).slice(0, 200)}`
            }
          >
            {(control) => (
              <Select
                {...control}
                value={comparison}
                onValueChange={(next) => setComparison(comparisons.find((mode) => mode === next) ?? "none")}
                options={[
                  { value: "none", label: "No: keep it for reference" },
                  { value: "contains", label: "Contains it" },
                  { value: "equals", label: "Equals it" },
                  { value: "judge", label: "A judge compares the meaning" },
                ]}
              />
            )}
          </Field>
        )}
        {isBare && (
          <Notice tone="warning" title="Nothing is checked yet">
            Choose something to expect. Until then this case neither passes nor fails.
          </Notice>
        )}
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
