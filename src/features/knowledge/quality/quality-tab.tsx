import { useState } from "react";
import type { CollectionSummary } from "../../../services/knowledge.ts";
import type { StoredQuestion } from "../../../services/retrieval-quality.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { ListSkeleton } from "../../../ui/feedback/list-skeleton.tsx";
import { LoadFailure } from "../../../ui/feedback/load-failure.tsx";
import { MeasureSection } from "./measure-section.tsx";
import { useQuestionRemoval, useQuestions } from "./quality-queries.ts";
import { QuestionDialog } from "./question-dialog.tsx";
import { QuestionList } from "./question-list.tsx";
import type { RunSearch } from "./run-searches.ts";
import { RunsDialog } from "./runs-dialog.tsx";
import { WriteDialog } from "./write-dialog.tsx";

type Open =
  | { type: "write" }
  | { type: "runs" }
  | { type: "question"; question?: StoredQuestion; from?: RunSearch }
  | null;

/** How well searches of a collection find what they should: questions with their right passages, and what was measured. */
export function QualityTab({ collection }: { collection: CollectionSummary }) {
  const [open, setOpen] = useState<Open>(null);
  const questions = useQuestions(collection.id);
  const removal = useQuestionRemoval(collection.id);
  if (questions.isPending) return <ListSkeleton label="Loading questions" />;
  if (questions.isLoadingError) return <LoadFailure error={questions.error} onRetry={() => void questions.refetch()} />;
  const all = questions.data ?? [];
  const close = () => setOpen(null);
  const add = (
    <div className="flex flex-wrap gap-2">
      <Button icon="plus" onClick={() => setOpen({ type: "question" })}>
        Add question
      </Button>
      <Button onClick={() => setOpen({ type: "write" })}>Write with a model</Button>
      <Button onClick={() => setOpen({ type: "runs" })}>Take from runs</Button>
    </div>
  );
  return (
    <div className="flex flex-col gap-8">
      {all.length === 0 ? (
        <EmptyState icon="search" title="No questions yet" action={add}>
          Questions with the passages that answer them show how often a search finds the right one.
        </EmptyState>
      ) : (
        <>
          <MeasureSection collection={collection} questions={all} />
          <section aria-label="Questions" className="flex flex-col gap-3">
            <div className="flex flex-wrap items-center justify-between gap-3">
              <h2 className="text-base font-semibold">Questions</h2>
              {add}
            </div>
            <QuestionList
              questions={all}
              onEdit={(question) => setOpen({ type: "question", question })}
              onRemove={(question) => removal.mutate(question)}
            />
          </section>
        </>
      )}
      {open?.type === "write" && (
        <WriteDialog collection={collection} taken={all.map(({ question }) => question)} onClose={close} />
      )}
      {open?.type === "runs" && (
        <RunsDialog
          collection={collection}
          taken={all.map(({ question }) => question)}
          onChoose={(from) => setOpen({ type: "question", from })}
          onClose={close}
        />
      )}
      {open?.type === "question" && (
        <QuestionDialog
          key={open.question?.id ?? open.from?.query ?? "new"}
          collection={collection}
          {...(open.question === undefined ? {} : { question: open.question })}
          {...(open.from === undefined ? {} : { from: open.from })}
          onClose={close}
        />
      )}
    </div>
  );
}
