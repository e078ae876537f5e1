import { useId, useMemo, useState } from "react";
import { checksNothing, readsExpected } from "../../evaluation/assertions/trial-assertions.ts";
import { type CaseStart, startWords } from "../../evaluation/suite/case-start.ts";
import type { StoredCase } from "../../services/services.ts";
import type { RunnableSuite } from "../../state/evaluation/open-suite.ts";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { DialogActions } from "../../ui/overlays/dialog-actions.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { Input } from "../../ui/fields/input.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Textarea } from "../../ui/fields/textarea.tsx";
import { type CaseForm, type CaseProblems, formOf, readCaseForm } from "./case-form.ts";
import { ChecksField } from "./checks-field.tsx";
import { ExpectedField } from "./expected-field.tsx";
import { toolNames } from "./tool-names.ts";
import { useSuiteChanges } from "./use-suites.ts";

interface CaseDialogProps {
  open: RunnableSuite;
  /** The case that is edited; a new one is made without. */
  row: StoredCase | undefined;
  onClose(): void;
}

/** A case as a form. */
export function CaseDialog({ open, row, onClose }: CaseDialogProps) {
  const { defaultAssert, judge } = open.suite;
  const { addCases, saveCase } = useSuiteChanges();
  const formId = useId();
  const [form, setForm] = useState(() => formOf(row?.case, defaultAssert));
  const [problems, setProblems] = useState<CaseProblems>({});
  const [startsWithJson] = useState(form.assert !== "");
  const change = (part: Partial<CaseForm>) => setForm((before) => ({ ...before, ...part }));
  const tools = useMemo(() => toolNames(open.document), [open.document]);
  const typed = useMemo(
    () => readCaseForm({ ...form, id: form.id.trim() || "case" }, row?.case, defaultAssert),
    [form, row, defaultAssert],
  );
  const isNamed = [...defaultAssert, ...(typed.ok ? (typed.case.assert ?? []) : [])].some(
    (one) => one.type !== "expected" && readsExpected(one),
  );
  const submit = () => {
    const read = readCaseForm(form, row?.case, defaultAssert);
    setProblems(read.ok ? {} : read.problems);
    if (!read.ok) return;
    if (row) saveCase.submit({ id: row.id, changed: read.case }, { onDone: onClose });
    else addCases.submit({ suiteId: open.stored.id, cases: [{ case: read.case }] }, { onDone: onClose });
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
        <ExpectedField
          value={form.expected}
          comparison={form.comparison}
          isNamed={isNamed}
          hasJudge={judge !== undefined}
          {...errorOf(problems.expected)}
          onChange={change}
        />
        <ChecksField
          rows={form.checks}
          problems={problems.checks ?? {}}
          tools={tools}
          hasJudge={judge !== undefined}
          onChange={(checks) => change({ checks })}
        />
        <details open={startsWithJson || problems.assert !== undefined}>
          <summary className="w-fit cursor-pointer rounded-sm text-xs font-medium text-muted hover:text-ink">
            More assertions, as JSON
          </summary>
          <div className="pt-2">
            <Field label="Assertions as JSON" help={assertHelp} {...errorOf(problems.assert)}>
              {(control) => (
                <Textarea
                  {...control}
                  mono
                  rows={3}
                  maxRows={12}
                  spellCheck={false}
                  placeholder={'[{ "type": "is-json" }, { "type": "step-count", "value": { "max": 4 } }]'}
                  value={form.assert}
                  onChange={(event) => change({ assert: event.target.value })}
                />
              )}
            </Field>
          </div>
        </details>
        {form.input.trim() !== "" && typed.ok && checksNothing(open.suite, typed.case) && (
          <Notice tone="warning" title="Nothing is checked yet">
            Fill in what is expected, or add a check. Until then this case neither passes nor fails.
          </Notice>
        )}
      </form>
    </Dialog>
  );
}

const inputOfStep = (start: CaseStart) =>
  `What the step “${startWords({ node: start.node, title: start.title })}” gets: a text, or a JSON object.`;

const assertHelp =
  "A list, for what has no row above. Types are named as in promptfoo: is-json, similar, tool-args-match, tool-sequence, step-count, cel, …";

const errorOf = (problem: string | undefined) => (problem === undefined ? {} : { error: problem });
