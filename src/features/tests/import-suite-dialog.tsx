import { visibleName } from "../../engine/text/visible-name.ts";
import { useId, useState } from "react";
import type { ImportedSuite } from "../../evaluation/import/imported-suite.ts";
import { type ConfigFile, readConfig } from "../../evaluation/import/read-config.ts";
import { useWorkflowChoices } from "../../state/shared/choices.ts";
import { readTextFile } from "../../engine/text/decode-text.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { DialogActions } from "../../ui/overlays/dialog-actions.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { FilePicker } from "../../ui/fields/file-picker.tsx";
import { Input } from "../../ui/fields/input.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { SearchedSelect } from "../../ui/fields/searched-select.tsx";
import { ImportSuiteReport } from "./import-suite-report.tsx";
import { type SuiteToStore, suiteToStore } from "./import-suite.ts";
import { useSuiteChanges } from "./use-suites.ts";
import { caseCount } from "./suite-text.ts";

/** What was chosen, as far as it could be read. */
interface Chosen {
  config: ConfigFile;
  imported: ImportedSuite;
  made: SuiteToStore | undefined;
}

const formats: Readonly<Record<ImportedSuite["format"], string>> = {
  promptfoo: "promptfoo",
  "openai-evals": "OpenAI Evals",
};

/** Makes a suite of a promptfoo config or an eval of OpenAI. The report is shown before anything is stored; nothing in the file is run. */
export function ImportSuiteDialog({ onClose, onMade }: { onClose: () => void; onMade: (suiteId: string) => void }) {
  const { storeImport } = useSuiteChanges();
  const form = useId();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [name, setName] = useState("");
  const [workflowId, setWorkflowId] = useState("");
  const { rows, searched, isPending } = useWorkflowChoices(workflowId);
  const made = chosen?.made;
  const ready = made !== undefined && name.trim() !== "" && workflowId !== "";

  const take = (config: ConfigFile, data?: ConfigFile) => {
    const read = readConfig(config, data);
    if (!read.ok) {
      // Rows that cannot be read leave what is there as it was.
      if (!data) setChosen(null);
      setProblems([`${read.problem} ${read.hint}`]);
      return;
    }
    const stored = suiteToStore(read.imported);
    setProblems(stored.ok ? [] : stored.problems);
    setChosen({ config, imported: read.imported, made: stored.ok ? stored.made : undefined });
    if (!data) setName((stored.ok && stored.made.name) || config.name.replace(/\.\w+$/, "").slice(0, 200));
  };
  const choose = async (file: File | undefined, config?: ConfigFile) => {
    if (!file) return;
    try {
      const found = { name: visibleName(file.name), text: await readTextFile(file) };
      if (config) take(config, found);
      else take(found);
    } catch {
      setProblems([`${visibleName(file.name)} cannot be read. Choose it again.`]);
    }
  };
  const submit = () => {
    if (ready) storeImport.submit({ workflowId, suite: { ...made, name: name.trim() } }, { onDone: onMade });
  };

  return (
    <Dialog
      open
      modalOnly
      size="lg"
      onOpenChange={onClose}
      title="Import a suite"
      description="From a promptfoo config (YAML) or an eval of OpenAI (JSON). Nothing in the file is run, and nothing is saved before you have seen what becomes of it."
      footer={
        <DialogActions onCancel={onClose} type="submit" form={form} disabled={!ready} busy={storeImport.isPending}>
          {made === undefined ? "Create" : createWords(made.cases.length)}
        </DialogActions>
      }
    >
      <form
        id={form}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <div className="flex flex-wrap items-center gap-2">
          <FilePicker
            label="Config file"
            accept=".yaml,.yml,.json,application/json,application/yaml"
            onFiles={([file]) => void choose(file)}
            trigger={<Button icon="upload">{chosen ? "Choose another file" : "Choose a file"}</Button>}
          />
          {chosen?.imported.format === "openai-evals" && (
            <FilePicker
              label="File with rows"
              accept=".jsonl,.ndjson"
              onFiles={([file]) => void choose(file, chosen.config)}
              trigger={<Button icon="upload">Add its rows (JSONL)</Button>}
            />
          )}
        </div>
        {problems.length > 0 && (
          <Notice tone="danger" title="This cannot be imported">
            <ul>
              {problems.slice(0, 8).map((problem) => (
                <li key={problem}>{problem}</li>
              ))}
            </ul>
          </Notice>
        )}
        {chosen && (
          <>
            <p role="status" className="wrap-anywhere">
              <span className="font-medium">{chosen.config.name}</span>{" "}
              <span className="text-muted">
                {formats[chosen.imported.format]}, {caseCount(chosen.imported.cases.length)}
              </span>
            </p>
            <ImportSuiteReport key={chosen.imported.parts.length} parts={chosen.imported.parts} />
            <Field label="Name" required>
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
            <Field label="Workflow" required help="What is tried on the cases; a config has none.">
              {(control) => (
                <SearchedSelect
                  {...control}
                  {...searched}
                  what="workflows"
                  first={rows[0]?.id}
                  value={workflowId}
                  onValueChange={setWorkflowId}
                  placeholder={
                    isPending ? "Loading…" : rows.length === 0 ? "There is no workflow yet" : "Choose a workflow"
                  }
                  options={rows.map((workflow) => ({ value: workflow.id, label: workflow.name }))}
                />
              )}
            </Field>
          </>
        )}
      </form>
    </Dialog>
  );
}

const createWords = (cases: number) => (cases === 0 ? "Create without cases" : `Create with ${caseCount(cases)}`);
