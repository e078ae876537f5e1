import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { type KnowledgeHit, type KnowledgeMode, knowledgeModes } from "../../engine/knowledge/knowledge.ts";
import { tableFields } from "../../engine/knowledge/postgres-table.ts";
import { filterText } from "../../nodes/knowledge/passage-filter.ts";
import type { CollectionSummary } from "../../services/knowledge.ts";
import { useServices } from "../../services/services-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { formatDuration } from "../../ui/text/format-duration.ts";
import { Input } from "../../ui/fields/input.tsx";
import { ListSkeleton } from "../../ui/feedback/list-skeleton.tsx";
import { LoadFailure } from "../../ui/feedback/load-failure.tsx";
import { classNames } from "../../ui/theme/class-names.ts";
import { Select } from "../../ui/fields/select.tsx";
import { counted } from "./ingest-text.ts";
import { useFields } from "./knowledge-queries.ts";
import { RerankChoice, rerankProblems, rerankSettings, typedNoRerank } from "./rerank-choice.tsx";
import { modeHelp, modeOptions } from "./mode-choices.ts";
import { searchCollection, type TestSearch } from "./search-collection.ts";
import { SourceDialog } from "./source/source-dialog.tsx";
import { noFilter, SearchFilter } from "./search-filter.tsx";
import { SearchHits } from "./search-hits.tsx";
import { shownError } from "./shown-error.ts";
import { RowDialog } from "./table/row-dialog.tsx";

/** Tries what an agent would find, with the scores of both halves of the search. */
export function SearchTab({ collection }: { collection: CollectionSummary }) {
  const services = useServices();
  const question = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const isPlain = collection.embedding === null;
  const [mode, setMode] = useState<KnowledgeMode>(isPlain ? "keyword" : (collection.searchMode ?? "hybrid"));
  const [minScore, setMinScore] = useState("0.7");
  const [filter, setFilter] = useState(noFilter);
  const [rerank, setRerank] = useState(typedNoRerank);
  const [tried, setTried] = useState(false);
  const [asked, setAsked] = useState<TestSearch | null>(null);
  const [opened, setOpened] = useState<KnowledgeHit | null>(null);

  const found = useQuery({
    queryKey: ["knowledge", "search", collection.id, collection.updatedAt, asked],
    enabled: asked !== null,
    retry: false,
    staleTime: 0,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      if (asked === null) throw new Error("Enter a question first.");
      return await searchCollection(services, collection, asked, signal);
    },
  });

  const ask = (change: Partial<TestSearch> = {}) => {
    const query = { text: text.trim(), mode, limit: 10, filter, rerank: rerankSettings(rerank), ...change };
    setTried(true);
    if (query.text === "" || Object.keys(rerankProblems(rerank)).length > 0) return;
    if (JSON.stringify(query) === JSON.stringify(asked)) void found.refetch();
    else setAsked(query);
  };
  const among = filterText(found.data?.filter);
  const stored = useFields(collection.id);
  const fields = collection.table ? tableFields(collection.table) : (stored.data ?? []);
  const threshold = Number(minScore);

  return (
    <div className="flex flex-col gap-4">
      <form
        role="search"
        className={classNames(
          "grid items-start gap-3",
          isPlain ? "sm:grid-cols-[1fr_7rem]" : "sm:grid-cols-[1fr_16rem_7rem]",
        )}
        onSubmit={(event) => {
          event.preventDefault();
          ask();
        }}
      >
        <Field label="Question">
          {(control) => (
            <div className="flex gap-1.5">
              <Input
                {...control}
                ref={question}
                value={text}
                maxLength={2_000}
                placeholder="What would someone ask?"
                onChange={(event) => setText(event.target.value)}
              />
              <Button type="submit" variant="primary" icon="search" disabled={text.trim() === ""}>
                Search
              </Button>
            </div>
          )}
        </Field>
        {!isPlain && (
          <Field label="Mode" help={modeHelp[mode]}>
            {(control) => (
              <Select
                {...control}
                value={mode}
                onValueChange={(next) => {
                  const chosen = knowledgeModes.find((each) => each === next) ?? "keyword";
                  setMode(chosen);
                  if (asked !== null) ask({ mode: chosen });
                }}
                options={modeOptions}
              />
            )}
          </Field>
        )}
        <Field label="Lowest score">
          {(control) => (
            <Input
              {...control}
              type="number"
              min={0}
              max={1}
              step={0.05}
              value={minScore}
              onChange={(event) => setMinScore(event.target.value)}
            />
          )}
        </Field>
        <SearchFilter filter={filter} fields={fields} onChange={setFilter} />
        <RerankChoice value={rerank} tried={tried} onChange={setRerank} />
      </form>
      {asked === null && (
        <EmptyState icon="search" title="Try a question">
          {isPlain
            ? "See which passages an agent would get, and their scores. To search by meaning as well, choose embeddings in Settings."
            : "See which passages an agent would get, and how each half of the search scores them."}
        </EmptyState>
      )}
      {asked !== null && found.isPending && <ListSkeleton label="Searching" />}
      {found.isError && <LoadFailure error={shownError(found.error)} onRetry={() => void found.refetch()} />}
      {found.data !== undefined && (
        <>
          <p role="status" className="text-xs wrap-anywhere text-muted numeric">
            {counted(found.data.hits.length, "passage")}
            {among !== "" && ` with ${among}`} · {found.data.mode}
            {found.data.hits.some(({ relevance }) => relevance !== undefined) && ", reranked"} ·{" "}
            {formatDuration(found.data.tookMs)}
          </p>
          <SearchHits
            hits={found.data.hits}
            minScore={Number.isFinite(threshold) ? threshold : 0}
            among={among}
            onSearchAll={() => {
              setFilter(noFilter);
              ask({ filter: noFilter });
              question.current?.focus();
            }}
            onOpen={setOpened}
          />
        </>
      )}
      {opened !== null &&
        (collection.table ? (
          <RowDialog hit={opened} table={collection.table} onClose={() => setOpened(null)} />
        ) : (
          <SourceDialog chunkId={opened.chunkId} onClose={() => setOpened(null)} />
        ))}
    </div>
  );
}
