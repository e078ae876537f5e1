import { useEffect, useRef, useState } from "react";
import type { CollectionSummary } from "../../../services/knowledge.ts";
import { useServices } from "../../../services/services-context.tsx";
import type { ChosenModel } from "../../../state/evaluation/model-choice-part.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { showError } from "../../../ui/feedback/toast.tsx";
import { Field } from "../../../ui/fields/field.tsx";
import { Select } from "../../../ui/fields/select.tsx";
import { Dialog } from "../../../ui/overlays/dialog.tsx";
import { useDialogMutation } from "../../../ui/overlays/use-dialog-mutation.ts";
import { formatCost } from "../../../ui/text/format-amount.ts";
import { counted } from "../ingest-text.ts";
import { useAllDocuments, useRefreshKnowledge } from "../knowledge-queries.ts";
import { useKnowledgeSlots } from "../knowledge-slots.tsx";
import { SaveFailure } from "../save-failure.tsx";
import { writingCost, writeQuestions, type Written } from "./write-questions.ts";

const counts = [5, 10, 20, 50] as const;
const nothing: Written = { questions: [], misquoted: 0, costUsd: 0 };

interface WriteDialogProps {
  collection: CollectionSummary;
  /** Questions that there are already. */
  taken: readonly string[];
  onClose: () => void;
}

/** Has a model write questions about the documents; those that are wanted are added. */
export function WriteDialog({ collection, taken, onClose }: WriteDialogProps) {
  const services = useServices();
  const { ModelChoice } = useKnowledgeSlots();
  const refresh = useRefreshKnowledge();
  const documents = useAllDocuments(collection.id);
  const [model, setModel] = useState<ChosenModel | null>(null);
  const [count, setCount] = useState<number>(10);
  const [written, setWritten] = useState(nothing);
  const [dropped, setDropped] = useState<ReadonlySet<string>>(new Set());
  const [busy, setBusy] = useState(false);
  const working = useRef<AbortController>(null);
  useEffect(() => () => working.current?.abort(), []);
  const wanted = written.questions.filter(({ question }) => !dropped.has(question));
  const cost = model === null || documents.data === undefined ? undefined : writingCost(model, documents.data, count);
  const save = useDialogMutation({
    save: () => services.retrievalQuality.addQuestions(collection.id, wanted),
    refresh,
    showsError: true,
  });

  const write = async () => {
    if (model === null) return;
    const controller = new AbortController();
    working.current = controller;
    setBusy(true);
    setWritten(nothing);
    const { signal } = controller;
    try {
      await writeQuestions(services, { collection, model, count, taken, signal, onWritten: setWritten });
    } catch (error) {
      if (!signal.aborted) showError(error instanceof Error ? error : new Error(String(error)));
    }
    setBusy(false);
  };

  return (
    <Dialog
      open
      modalOnly
      size="lg"
      onOpenChange={onClose}
      title="Write questions with a model"
      description="A model reads parts of the documents, asks a question about each and quotes the answer. Check them before you add them."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {busy ? (
            <Button icon="square" onClick={() => working.current?.abort()}>
              Stop
            </Button>
          ) : (
            <Button disabled={model === null} onClick={() => void write()}>
              {written.questions.length > 0 ? "Write new ones" : "Write questions"}
            </Button>
          )}
          <Button
            variant="primary"
            disabled={busy || wanted.length === 0}
            busy={save.isPending}
            onClick={() => save.submit(undefined, { onDone: onClose })}
          >
            Add {counted(wanted.length, "question")}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <ModelChoice help="The texts are sent to its provider." onChange={setModel} />
        <Field label="How many" help={costHelp(cost)}>
          {(control) => (
            <Select
              {...control}
              value={String(count)}
              onValueChange={(value) => setCount(Number(value))}
              options={counts.map((each) => ({ value: String(each), label: `${each} questions` }))}
            />
          )}
        </Field>
        {(busy || written.questions.length > 0 || written.misquoted > 0) && (
          <p role="status" className="text-sm text-muted numeric">
            {busy ? `${written.questions.length} of ${count} written` : `${written.questions.length} written`},{" "}
            {formatCost(written.costUsd)}
            {written.misquoted > 0 &&
              `. Left out: ${counted(written.misquoted, "question")} with a quote that is not in the document.`}
          </p>
        )}
        {written.questions.length > 0 && (
          <ul aria-label="Written questions" className="divide-y rounded-md border">
            {written.questions.map(({ question, passages }) => (
              <li key={question} className="px-3 py-2">
                <label className="flex items-start gap-2">
                  <input
                    type="checkbox"
                    className="mt-1"
                    checked={!dropped.has(question)}
                    onChange={(event) => {
                      const next = new Set(dropped);
                      if (event.target.checked) next.delete(question);
                      else next.add(question);
                      setDropped(next);
                    }}
                  />
                  <span className="min-w-0">
                    <span className="block font-medium wrap-anywhere">{question}</span>
                    <span className="block text-sm wrap-anywhere text-muted">
                      {passages.map(({ document, quote }) => `${document}: “${quote}”`).join(" ")}
                    </span>
                  </span>
                </label>
              </li>
            ))}
          </ul>
        )}
        <SaveFailure error={save.error} />
      </div>
    </Dialog>
  );
}

/** What the writing will cost; undefined while no model is chosen. */
function costHelp(cost: ReturnType<typeof writingCost> | undefined): string {
  const requests = "One request for each question; two at most.";
  if (cost === undefined) return requests;
  if (cost === null) return `${requests} What they cost is not known here.`;
  const { least, most } = cost;
  return `${requests} About ${formatCost(least)}${least === most ? "" : ` to ${formatCost(most)}`}.`;
}
