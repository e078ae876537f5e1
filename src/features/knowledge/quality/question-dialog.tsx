import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import {
  type FoundPassage,
  isQuoteOf,
  maxQuote,
  minQuote,
  type RightPassage,
} from "../../../evaluation/retrieval/right-passage.ts";
import { knowledgeKey } from "../../../state/knowledge/collection-list.ts";
import type { CollectionSummary } from "../../../services/knowledge.ts";
import type { StoredQuestion } from "../../../services/retrieval-quality.ts";
import { ServiceError } from "../../../services/services.ts";
import { useServices } from "../../../services/services-context.tsx";
import { Button } from "../../../ui/buttons/button.tsx";
import { IconButton } from "../../../ui/buttons/icon-button.tsx";
import { ListSkeleton } from "../../../ui/feedback/list-skeleton.tsx";
import { LoadFailure } from "../../../ui/feedback/load-failure.tsx";
import { Field } from "../../../ui/fields/field.tsx";
import { Input } from "../../../ui/fields/input.tsx";
import { Textarea } from "../../../ui/fields/textarea.tsx";
import { useDialogMutation } from "../../../ui/overlays/use-dialog-mutation.ts";
import { FormDialog } from "../form-dialog.tsx";
import { useRefreshKnowledge } from "../knowledge-queries.ts";
import { SaveFailure } from "../save-failure.tsx";
import { PassagePicker } from "./passage-picker.tsx";
import { findQuote } from "./find-quote.ts";
import type { RunSearch } from "./run-searches.ts";

interface QuestionDialogProps {
  collection: CollectionSummary;
  /** The question that is changed; absent for a new one. */
  question?: StoredQuestion;
  /** A search of a run that becomes a question. */
  from?: RunSearch;
  onClose: () => void;
}

/** A question and its right passages: found by a search, marked, and cut down to the words that answer. */
export function QuestionDialog({ collection, question, from, onClose }: QuestionDialogProps) {
  const { knowledge, retrievalQuality } = useServices();
  const refresh = useRefreshKnowledge();
  const [text, setText] = useState(question?.question ?? from?.query ?? "");
  const [right, setRight] = useState<readonly RightPassage[]>(question?.passages ?? []);
  const [words, setWords] = useState<string | null>(null);
  const [tried, setTried] = useState(false);
  const found = useQuery({
    queryKey: [...knowledgeKey, "quality", collection.id, "passages", words],
    enabled: words !== null,
    retry: false,
    queryFn: async ({ signal }): Promise<FoundPassage[]> => {
      const hits = await knowledge.search({
        collection: collection.id,
        text: words ?? "",
        mode: "keyword",
        limit: 10,
        signal,
      });
      return hits.map(({ content, metadata }) => ({ document: metadata.document, content }));
    },
  });
  const save = useDialogMutation({
    save: async () => {
      for (const passage of right) {
        if (await findQuote(knowledge, collection.id, passage)) continue;
        const hint = "Copy the words as they stand there, or mark the passage again.";
        throw new ServiceError("invalid", `These words do not stand in ${passage.document}.`, hint);
      }
      const draft = { question: text.trim(), passages: right };
      if (question) await retrievalQuality.changeQuestion(question.id, draft);
      else await retrievalQuality.addQuestions(collection.id, [draft]);
    },
    refresh,
    showsError: true,
  });
  const missing = text.trim() === "" ? "Enter a question." : undefined;
  const tooShort = right.some(({ quote }) => !isQuoteOf(quote, quote));
  const offered = words === null ? from?.found : found.data;

  return (
    <FormDialog
      size="lg"
      title={question ? "Edit question" : "Add question"}
      description="Mark the passages that answer it. Keep only the words that matter: they still count when documents are chunked another way."
      submit={question ? "Save question" : "Add question"}
      busy={save.isPending}
      onClose={onClose}
      onSubmit={() => {
        setTried(true);
        if (missing === undefined && right.length > 0 && !tooShort) save.submit(undefined, { onDone: onClose });
      }}
    >
      <Field label="Question" required {...(tried && missing !== undefined ? { error: missing } : {})}>
        {(control) => (
          <Textarea
            {...control}
            rows={2}
            value={text}
            maxLength={2_000}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      {right.map(({ document, quote }, at) => (
        <Field
          key={at}
          label={`Right passage in ${document}`}
          {...(tried && !isQuoteOf(quote, quote) ? { error: `At least ${minQuote} letters.` } : {})}
          aside={
            <IconButton
              size="sm"
              icon="trash-2"
              label="Remove this passage"
              onClick={() => setRight(right.filter((_, index) => index !== at))}
            />
          }
        >
          {(control) => (
            <Textarea
              {...control}
              rows={3}
              value={quote}
              maxLength={maxQuote}
              onChange={(event) =>
                setRight(right.map((each, index) => (index === at ? { document, quote: event.target.value } : each)))
              }
            />
          )}
        </Field>
      ))}
      {tried && right.length === 0 && (
        <p role="alert" className="text-xs text-danger">
          Mark at least one passage.
        </p>
      )}
      <FindPassage suggestion={text} onFind={setWords} />
      {words !== null && found.isPending && <ListSkeleton label="Searching" />}
      {found.isError && <LoadFailure error={found.error} onRetry={() => void found.refetch()} />}
      {offered !== undefined && (
        <PassagePicker
          passages={offered}
          right={right}
          onMark={({ document, content }) => setRight([...right, { document, quote: content.slice(0, maxQuote) }])}
        />
      )}
      <SaveFailure error={save.error} />
    </FormDialog>
  );
}

/** Words to look for passages with; the question's own while none are typed. */
function FindPassage({ suggestion, onFind }: { suggestion: string; onFind: (words: string) => void }) {
  const [typed, setTyped] = useState("");
  const words = typed.trim() || suggestion.trim();
  return (
    <Field label="Find passages">
      {(control) => (
        <div className="flex gap-1.5">
          <Input
            {...control}
            value={typed}
            maxLength={2_000}
            placeholder="Words of the passage; empty: the question"
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
              event.preventDefault();
              if (words !== "") onFind(words);
            }}
          />
          <Button icon="search" disabled={words === ""} onClick={() => onFind(words)}>
            Find
          </Button>
        </div>
      )}
    </Field>
  );
}
