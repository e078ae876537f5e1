import { useId, useState } from "react";
import { type CaseStart, startWords } from "../../engine/evaluation/suite/case-start.ts";
import type { StoredCase } from "../../services/services.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogActions } from "../../ui/dialog-actions.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { Textarea } from "../../ui/textarea.tsx";
import { type CaseForm, type CaseProblems, formOf, readCaseForm } from "./case-form.ts";
import { useSuiteChanges } from "./use-suites.ts";

interface CaseDialogProps {
  suiteId: string;
  /** The case that is edited; a new one is made without. */
  row: StoredCase | undefined;
  onClose(): void;
}

/** A case as a form. */
export function CaseDialog({ suiteId, row, onClose }: CaseDialogProps) {
  const { addCases, saveCase } = useSuiteChanges();
  const formId = useId();
  const [form, setForm] = useState(() => formOf(row?.case));
  const [problems, setProblems] = useState<CaseProblems>({});
  const change = (part: Partial<CaseForm>) => setForm((before) => ({ ...before, ...part }));
  const submit = () => {
    const read = readCaseForm(form, row?.case);
    setProblems(read.ok ? {} : read.problems);
    if (!read.ok) return;
    if (row) saveCase.mutate({ id: row.id, changed: read.case }, { onSuccess: onClose });
    else addCases.mutate({ suiteId, cases: [{ case: read.case }] }, { onSuccess: onClose });
  };
  return (
    <Dialog
      open
      modalOnly
      onOpenChange={onClose}
      title={row ? "Edit case" : "Add case"}
      footer={
        <DialogActions onCancel={onClose} type="submit" form={formId} busy={addCases.isPending || saveCase.isPending}>
          {row ? "Save" : "Add"}
        </DialogActions>
      }
    >
      <form
        id={formId}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Field label="Name" required {...errorOf(problems.id)}>
          {(control) => (
            <Input
              {...control}
              value={form.id}
              maxLength={200}
              autoComplete="off"
              onChange={(event) => change({ id: event.target.value })}
            />
          )}
        </Field>
        <Field
          label="Input"
          required
          help={
            row?.case.start ? inputOfStep(row.case.start) : "What the trigger gets: a chat message, or a JSON object."
          }
          {...errorOf(problems.input)}
        >
          {(control) => (
            <Textarea
              {...control}
              rows={3}
              maxRows={10}
              value={form.input}
              onChange={(event) => change({ input: event.target.value })}
            />
          )}
        </Field>
        {row?.case.start === undefined && (
          <>
            <Field
              label="Further messages"
              help="One message per line. Each is sent after the answer to the one before, in the same conversation."
              {...errorOf(problems.turns)}
            >
              {(control) => (
                <Textarea
                  {...control}
                  rows={2}
                  maxRows={8}
                  value={form.turns}
                  onChange={(event) => change({ turns: event.target.value })}
                />
              )}
            </Field>
            <Field
              label="Or the goal of a simulated user"
              help="A model, chosen in the suite's settings, goes on with the conversation until it has what it wants."
              {...errorOf(problems.goal)}
            >
              {(control) => (
                <Input
                  {...control}
                  autoComplete="off"
                  value={form.goal}
                  onChange={(event) => change({ goal: event.target.value })}
                />
              )}
            </Field>
          </>
        )}
        <Field label="Expected" help="Assertions insert it as {{expected}}." {...errorOf(problems.expected)}>
          {(control) => (
            <Textarea
              {...control}
              rows={2}
              maxRows={8}
              value={form.expected}
              onChange={(event) => change({ expected: event.target.value })}
            />
          )}
        </Field>
        <Field label="Assertions of this case" help={assertHelp} {...errorOf(problems.assert)}>
          {(control) => (
            <Textarea
              {...control}
              mono
              rows={3}
              maxRows={12}
              spellCheck={false}
              placeholder={'[{ "type": "contains", "value": "84" }]'}
              value={form.assert}
              onChange={(event) => change({ assert: event.target.value })}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}

const inputOfStep = (start: CaseStart) =>
  `What the step “${startWords({ node: start.node, title: start.title })}” gets: a text, or a JSON object.`;

const assertHelp =
  "A JSON list; it adds to the suite's. Types are named as in promptfoo: contains, regex, tool-used, cost, cel, …";

const errorOf = (problem: string | undefined) => (problem === undefined ? {} : { error: problem });
