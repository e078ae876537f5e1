import { useEffect, useRef, useState } from "react";
import type { EvaluationCase } from "../../evaluation/suite/evaluation-case.ts";
import { useCollectionChoices } from "../../state/knowledge/collection-choices.ts";
import type { RunnableSuite } from "../../state/evaluation/open-suite.ts";
import { useServices } from "../../services/services-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { formatCost } from "../../ui/text/format-amount.ts";
import { SearchedSelect } from "../../ui/fields/searched-select.tsx";
import { Select } from "../../ui/fields/select.tsx";
import { showError } from "../../ui/feedback/toast.tsx";
import { assertionsFor, generateCases } from "./generate-cases.ts";
import { ModelField } from "./model-field.tsx";
import type { ModelForm } from "./settings-form.ts";
import { inOneLine } from "./suite-text.ts";
import { useSuiteChanges } from "./use-suites.ts";

const counts = [5, 10, 20, 50] as const;

interface Made {
  cases: readonly EvaluationCase[];
  costUsd: number | null;
  /** Ids of those that are not wanted. */
  dropped: ReadonlySet<string>;
}

const nothing: Made = { cases: [], costUsd: 0, dropped: new Set() };

/** Has a model write cases from the documents of a collection; those that are wanted are added. */
export function GenerateDialog({ open, onClose }: { open: RunnableSuite; onClose: () => void }) {
  const services = useServices();
  const { addCases } = useSuiteChanges();
  const [collectionId, setCollectionId] = useState("");
  const [model, setModel] = useState<ModelForm | null>(null);
  const [count, setCount] = useState<number>(10);
  const [made, setMade] = useState(nothing);
  const [busy, setBusy] = useState(false);
  const working = useRef<AbortController>(null);
  const { rows, searched, isPending } = useCollectionChoices(collectionId);
  useEffect(() => () => working.current?.abort(), []);
  const ready = collectionId !== "" && model !== null && model.model.trim() !== "";
  const wanted = made.cases.filter(({ id }) => !made.dropped.has(id));

  const generate = async () => {
    if (!ready) return;
    const controller = new AbortController();
    working.current = controller;
    setBusy(true);
    setMade(nothing);
    try {
      await generateCases(services, {
        collectionId,
        workflowId: open.stored.workflowId,
        model,
        count,
        taken: open.cases.map((one) => one.case.id),
        signal: controller.signal,
        onCase: (one, costUsd) => setMade((before) => ({ ...before, cases: [...before.cases, one], costUsd })),
      });
    } catch (error) {
      if (!controller.signal.aborted) showError(error instanceof Error ? error : new Error(String(error)));
    }
    setBusy(false);
  };
  const add = () =>
    addCases.submit(
      {
        suiteId: open.stored.id,
        cases: wanted.map((one) => ({ case: { ...one, ...assertionsFor(open.suite) } })),
      },
      { onDone: onClose },
    );
  const toggle = (id: string, isWanted: boolean) =>
    setMade((before) => {
      const dropped = new Set(before.dropped);
      if (isWanted) dropped.delete(id);
      else dropped.add(id);
      return { ...before, dropped };
    });

  return (
    <Dialog
      open
      modalOnly
      size="lg"
      onOpenChange={onClose}
      title="Cases from documents"
      description="A model reads parts of a collection and writes questions with answers. Check them before you add them."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {busy ? (
            <Button icon="square" onClick={() => working.current?.abort()}>
              Stop
            </Button>
          ) : (
            <Button disabled={!ready} onClick={() => void generate()}>
              {made.cases.length > 0 ? "Write new ones" : "Write cases"}
            </Button>
          )}
          <Button variant="primary" disabled={busy || wanted.length === 0} busy={addCases.isPending} onClick={add}>
            {wanted.length === 1 ? "Add 1 case" : `Add ${wanted.length} cases`}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Collection" required help="Its texts are sent to the model's provider.">
            {(control) => (
              <SearchedSelect
                {...control}
                {...searched}
                what="collections"
                value={collectionId}
                onValueChange={setCollectionId}
                placeholder={rows.length === 0 && !isPending ? "None yet" : "Choose a collection"}
                options={rows.map(({ id, name }) => ({ value: id, label: name }))}
              />
            )}
          </Field>
          <Field label="How many" help="About one request for each; two at most.">
            {(control) => (
              <Select
                {...control}
                value={String(count)}
                onValueChange={(value) => setCount(Number(value))}
                options={counts.map((each) => ({ value: String(each), label: `${each} cases` }))}
              />
            )}
          </Field>
        </div>
        <ModelField
          help="A different model from the agent's asks different questions."
          value={model}
          onChange={setModel}
        />
        {(busy || made.cases.length > 0) && (
          <p role="status" className="text-sm text-muted">
            {busy ? `${made.cases.length} of ${count} written` : `${made.cases.length} written`},{" "}
            {formatCost(made.costUsd)}
          </p>
        )}
        {made.cases.length > 0 && (
          <ul aria-label="Written cases" className="divide-y rounded-md border">
            {made.cases.map((one) => (
              <li key={one.id} className="px-3 py-2">
                <label className="flex items-start gap-2">
                  <input
                    type="checkbox"
                    className="mt-1"
                    checked={!made.dropped.has(one.id)}
                    onChange={(event) => toggle(one.id, event.target.checked)}
                  />
                  <span className="min-w-0">
                    <span className="block font-medium">{one.id}</span>
                    <span className="block text-sm text-muted">{inOneLine(one.expected ?? "")}</span>
                  </span>
                </label>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  );
}
