import { type ReactNode, useMemo, useState } from "react";
import {
  type MissMode,
  missModes,
  type PublishingMode,
  publishingModes,
  replayModes,
} from "../../evaluation/suite/suite.ts";
import type { RunnableSuite } from "../../state/evaluation/open-suite.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Field, type FieldControlProps } from "../../ui/fields/field.tsx";
import { Input } from "../../ui/fields/input.tsx";
import { Select } from "../../ui/fields/select.tsx";
import { Switch } from "../../ui/fields/switch.tsx";
import { Textarea } from "../../ui/fields/textarea.tsx";
import { ChecksField } from "./checks-field.tsx";
import { ModelField } from "./model-field.tsx";
import { formOf, readForm, type SettingsForm, type SettingsProblems } from "./settings-form.ts";
import { toolNames } from "./tool-names.ts";
import { useSuiteChanges } from "./use-suites.ts";
import { VariantsField } from "./variants-field.tsx";

const replayWords: Readonly<Record<(typeof replayModes)[number], string>> = {
  none: "Nothing: models and tools are live",
  tools: "Tools: the model is live",
  all: "Models and tools: free and offline",
};

const missWords: Readonly<Record<MissMode, string>> = {
  fail: "Fail the trial",
  live: "Are made",
  ask: "Ask me",
};

const missHelp: Readonly<Record<MissMode, string>> = {
  fail: "Nothing is called that is not in the recording.",
  live: "Tools that change something still have to be named below.",
  ask: "A run that you start here asks you before each tool call. Model calls fail, and so does everything else when the run was not started here.",
};

const publishingWords: Readonly<Record<PublishingMode, string>> = {
  off: "Not run",
  warn: "Run: a failure warns",
  block: "Run: a failure blocks publishing",
};

type TextName = "name" | "trials" | "passRate" | "maxCostUsd" | "trialCostUsd" | "p95LatencyMs" | "liveTools";

/** What a suite expects, and how it is tried. */
export function SettingsSection({ open: { stored, document } }: { open: RunnableSuite }) {
  const { save } = useSuiteChanges();
  const [form, setForm] = useState(() => formOf(stored.name, stored.settings));
  const [problems, setProblems] = useState<SettingsProblems>({});
  const [startsWithJson] = useState(form.defaultAssert !== "");
  const tools = useMemo(() => toolNames(document), [document]);
  const isCounted = form.maxCostUsd.trim() !== "";
  const change = (part: Partial<SettingsForm>) => setForm((before) => ({ ...before, ...part }));
  const submit = () => {
    const read = readForm(form, stored.settings);
    setProblems(read.ok ? {} : read.problems);
    if (read.ok) save.mutate({ id: stored.id, name: read.name, settings: read.settings });
  };
  const text = (name: TextName, label: string, help?: ReactNode) => (
    <Field label={label} help={help} {...errorOf(problems[name])}>
      {(control) => <Line control={control} name={name} form={form} onChange={change} />}
    </Field>
  );
  return (
    <form
      className="flex max-w-[720px] flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {text("name", "Name")}
      <ChecksField
        label="Checks of every case"
        help="What has to hold in each case. Texts may hold {{input…}} and {{expected}}."
        rows={form.checks}
        problems={problems.checks ?? {}}
        tools={tools}
        hasJudge={form.judge !== null}
        onChange={(checks) => change({ checks })}
      />
      <details open={startsWithJson || problems.defaultAssert !== undefined}>
        <summary className="w-fit cursor-pointer rounded-sm text-xs font-medium text-muted hover:text-ink">
          More assertions, as JSON
        </summary>
        <div className="pt-2">
          <Field label="Assertions for every case, as JSON" help={assertHelp} {...errorOf(problems.defaultAssert)}>
            {(control) => (
              <Textarea
                {...control}
                mono
                rows={4}
                spellCheck={false}
                placeholder={'[{ "type": "contains", "value": "{{expected}}" }]'}
                value={form.defaultAssert}
                onChange={(event) => change({ defaultAssert: event.target.value })}
              />
            )}
          </Field>
        </div>
      </details>
      <div className="grid gap-4 sm:grid-cols-3">
        {text("trials", "Trials per case", "5 of 5 proves only ≥ 57 %.")}
        {text(
          "passRate",
          "Required pass rate in %",
          "Reached by the lower end of the interval. Empty: all have to pass.",
        )}
        {text("maxCostUsd", "Spend at most, in $", "No trial begins beyond it.")}
        {text("trialCostUsd", "Cost of a trial at most, in $", "On average.")}
        {text("p95LatencyMs", "Time of a trial at most, in ms", "Of 95 trials in 100.")}
      </div>
      <Field
        label="Before the workflow is published"
        help="On exactly the version that is published; results that are there already count."
      >
        {(control) => (
          <Select
            {...control}
            value={form.publishing}
            onValueChange={(next) => change({ publishing: publishingModes.find((mode) => mode === next) ?? "warn" })}
            options={publishingModes.map((mode) => ({ value: mode, label: publishingWords[mode] }))}
          />
        )}
      </Field>
      <Field
        label="No case may be worse than in the live version"
        help="The live version is tested as well, once."
        inline
      >
        {({ id }) => <Switch id={id} checked={form.noWorse} onCheckedChange={(noWorse) => change({ noWorse })} />}
      </Field>
      <Field label="Answered from recordings" help="Cases that were saved from a run keep its exchanges.">
        {(control) => (
          <Select
            {...control}
            value={form.replay}
            onValueChange={(next) => change({ replay: replayModes.find((mode) => mode === next) ?? "none" })}
            options={replayModes.map((mode) => ({ value: mode, label: replayWords[mode] }))}
          />
        )}
      </Field>
      {form.replay !== "none" && (
        <Field label="Calls that were not recorded" help={missHelp[form.onMiss]}>
          {(control) => (
            <Select
              {...control}
              value={form.onMiss}
              onValueChange={(next) => change({ onMiss: missModes.find((mode) => mode === next) ?? "fail" })}
              options={missModes.map((mode) => ({ value: mode, label: missWords[mode] }))}
            />
          )}
        </Field>
      )}
      <VariantsField
        rows={form.variants}
        problems={problems.variantRows ?? {}}
        {...errorOf(problems.variants)}
        document={document}
        onChange={(variants) => change({ variants })}
      />
      {text(
        "liveTools",
        "Tools that may write",
        "One name a line. Tools that change something outside are not called in a test unless they stand here.",
      )}
      <Field label="Agree to tool calls that ask a person" inline>
        {({ id }) => <Switch id={id} checked={form.approve} onCheckedChange={(approve) => change({ approve })} />}
      </Field>
      <ModelField
        label="Judge"
        help="The model that checks llm-rubric. Choose a different one from the agent's: a model overlooks its own mistakes."
        value={form.judge}
        isCounted={isCounted}
        {...errorOf(problems.judge)}
        onChange={(judge) => change({ judge })}
      />
      <ModelField
        label="Simulated user"
        help="The model that plays the user of cases with a goal."
        value={form.simulatedUser}
        isCounted={isCounted}
        {...errorOf(problems.simulatedUser)}
        onChange={(simulatedUser) => change({ simulatedUser })}
      />
      <ModelField
        label="Embeddings"
        kind="embeddings"
        help="The model that compares meanings for similar. The demo's compares words, without a key."
        value={form.embeddings}
        isCounted={isCounted}
        {...errorOf(problems.embeddings)}
        onChange={(embeddings) => change({ embeddings })}
      />
      <div>
        <Button type="submit" variant="primary" busy={save.isPending}>
          Save settings
        </Button>
      </div>
    </form>
  );
}

const assertHelp =
  "A list, for what has no row above, named as in promptfoo: is-json, tool-args-match, tool-sequence, latency, finish-reason, cel, javascript, similar, …; not- turns one round.";

const areas: Partial<Record<TextName, { rows: number; mono: boolean; placeholder?: string }>> = {
  liveTools: { rows: 2, mono: true },
};

interface LineProps {
  control: FieldControlProps;
  name: TextName;
  form: SettingsForm;
  onChange(part: Partial<SettingsForm>): void;
}

function Line({ control, name, form, onChange }: LineProps) {
  const area = areas[name];
  if (area) {
    return (
      <Textarea
        {...control}
        {...area}
        maxRows={16}
        spellCheck={false}
        value={form[name]}
        onChange={(event) => onChange({ [name]: event.target.value })}
      />
    );
  }
  return (
    <Input
      {...control}
      autoComplete="off"
      inputMode={name === "name" ? "text" : "decimal"}
      maxLength={200}
      value={form[name]}
      onChange={(event) => onChange({ [name]: event.target.value })}
    />
  );
}

const errorOf = (problem: string | undefined) => (problem === undefined ? {} : { error: problem });
