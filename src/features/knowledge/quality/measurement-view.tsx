import { useState } from "react";
import { measuresOf } from "../../../evaluation/retrieval/measures.ts";
import type { CollectionSummary } from "../../../services/knowledge.ts";
import type { Measurement, QualityResult } from "../../../services/retrieval-quality.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Field } from "../../../ui/fields/field.tsx";
import { Select } from "../../../ui/fields/select.tsx";
import { formatCost } from "../../../ui/text/format-amount.ts";
import { formatMoment } from "../../../ui/text/format-moment.ts";
import { chunkingText } from "../chunking-draft.ts";
import { counted } from "../ingest-text.ts";
import { useSearchMode } from "../use-search-mode.ts";
import { conclusionOf, rankText, shareText, wayName } from "./quality-text.ts";
import { ScrolledTable } from "../../../ui/layout/scrolled-table.tsx";

interface MeasurementViewProps {
  collection: CollectionSummary;
  /** The latest first; at least one. */
  measurements: readonly Measurement[];
}

/** What one measurement found, the latest unless another one is chosen. */
export function MeasurementView({ collection, measurements }: MeasurementViewProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const shown = measurements.find(({ id }) => id === chosen) ?? measurements[0];
  if (shown === undefined) return null;
  const { result } = shown;
  const { documents, chunks, embedding, chunking, costUsd } = result;
  return (
    <div className="flex flex-col gap-3">
      {measurements.length > 1 && (
        <Field label="Measured">
          {(control) => (
            <Select
              {...control}
              value={shown.id}
              onValueChange={setChosen}
              options={measurements.map(({ id, createdAt }) => ({
                value: id,
                label: formatMoment(Date.parse(createdAt)),
              }))}
            />
          )}
        </Field>
      )}
      <Conclusion collection={collection} result={result} />
      <ScrolledTable label="Measurement" className="rounded-lg border bg-surface">
        <table className="w-full text-left text-sm numeric">
          <thead className="border-b text-xs text-muted">
            <tr>
              {["Search", "Recall in the first 5", "Recall in the first 10", "Mean reciprocal rank"].map((title) => (
                <th key={title} scope="col" className="px-4 py-2 font-medium">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {result.ways.map((way) => {
              const { recall5, recall10, mrr } = measuresOf(way.ranks);
              return (
                <tr key={wayName(way)} className="border-b last:border-b-0">
                  <th scope="row" className="px-4 py-2 font-medium">
                    {wayName(way)}
                  </th>
                  <td className="px-4 py-2 whitespace-nowrap">{shareText(recall5)}</td>
                  <td className="px-4 py-2 whitespace-nowrap">{shareText(recall10)}</td>
                  <td className="px-4 py-2 whitespace-nowrap">{rankText(mrr)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </ScrolledTable>
      <p className="flex flex-wrap gap-x-3 text-xs text-muted numeric">
        <time dateTime={shown.createdAt}>{formatMoment(Date.parse(shown.createdAt))}</time>
        <span>{counted(result.questions.length, "question")}</span>
        <span>{counted(documents, "document")}</span>
        <span>
          {counted(chunks, "chunk")} {chunkingText(chunking)}
        </span>
        <span>{embedding ?? "no embeddings"}</span>
        <span>{formatCost(costUsd)}</span>
        <span>95 % intervals in brackets</span>
        <span>without a lowest score</span>
      </p>
      <Missed result={result} />
    </div>
  );
}

function Conclusion({ collection, result }: { collection: CollectionSummary; result: QualityResult }) {
  const save = useSearchMode(collection.id);
  const found = conclusionOf(result);
  if (found === undefined) return null;
  const { best, title, text } = found;
  const fits = best.mode === "keyword" || collection.embedding !== null;
  const isUsed = collection.searchMode === best.mode;
  return (
    <Notice
      title={title}
      action={
        fits && (
          <Button size="sm" disabled={isUsed} busy={save.isPending} onClick={() => save.mutate(best.mode)}>
            {isUsed ? `Uses ${best.mode}` : `Use ${best.mode}`}
          </Button>
        )
      }
    >
      {text}
      {best.rerank !== null && " Turn on Rerank in the step or tool as well."}
    </Notice>
  );
}

/** Questions whose right passages the best way did not find among the first 10. */
function Missed({ result }: { result: QualityResult }) {
  const best = conclusionOf(result)?.best;
  if (best === undefined) return null;
  const missed = result.questions.filter((_, at) => best.ranks[at]?.every((rank) => rank === null) === true);
  if (missed.length === 0) return null;
  return (
    <details>
      <summary className="text-sm">
        {counted(missed.length, "question")} with nothing right in the first 10 ({wayName(best)})
      </summary>
      <ul className="mt-2 list-disc pl-5 text-sm wrap-anywhere text-muted">
        {missed.map((question, at) => (
          <li key={at}>{question}</li>
        ))}
      </ul>
    </details>
  );
}
