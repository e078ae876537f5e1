import type { RankedHit } from "../../nodes/knowledge/rerank-hits.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { isRow } from "../../engine/knowledge/postgres-table.ts";
import { estimateTokens } from "../../engine/model/estimate-tokens.ts";
import { formatTokens } from "../../ui/text/format-amount.ts";
import { chunkPlace } from "./chunk-place.ts";
import { rowPlace } from "./table/row-place.ts";

interface SearchHitsProps {
  hits: readonly RankedHit[];
  /** Hits below it are shown apart: a node would leave them out. */
  minScore: number;
  /** Which passages were searched, "page 3"; empty for all. */
  among: string;
  onSearchAll: () => void;
  onOpen: (hit: RankedHit) => void;
}

/** Passages, best first, with what each half of the search thinks of them. */
export function SearchHits({ hits, minScore, among, onSearchAll, onOpen }: SearchHitsProps) {
  if (hits.length === 0 && among !== "") {
    return (
      <EmptyState
        icon="search"
        title="Nothing was found"
        action={<Button onClick={onSearchAll}>Search all passages</Button>}
      >
        <p className="wrap-anywhere">
          No passage with {among} has anything in common with this question. Try other words, or search all passages.
        </p>
      </EmptyState>
    );
  }
  if (hits.length === 0) {
    return (
      <EmptyState icon="search" title="Nothing was found">
        No passage has anything in common with this question. Try other words.
      </EmptyState>
    );
  }
  const good = hits.filter((hit) => hit.score >= minScore);
  const poor = hits.filter((hit) => hit.score < minScore);
  return (
    <>
      {good.length > 0 && <HitList label="Passages" hits={good} from={1} onOpen={onOpen} />}
      {poor.length > 0 && (
        <section className="flex flex-col gap-2">
          <h3 className="text-xs text-muted">
            Below the lowest score of {minScore}: an agent does not get {poor.length === 1 ? "this one" : "these"}
          </h3>
          <HitList label="Passages below the lowest score" hits={poor} from={good.length + 1} onOpen={onOpen} />
        </section>
      )}
    </>
  );
}

function HitList(props: {
  label: string;
  hits: readonly RankedHit[];
  from: number;
  onOpen: SearchHitsProps["onOpen"];
}) {
  const { label, hits, from, onOpen } = props;
  return (
    <ol aria-label={label} className="overflow-hidden rounded-lg border bg-surface">
      {hits.map((hit, index) => (
        <li key={hit.chunkId} className="border-b last:border-b-0">
          <button
            type="button"
            className="flex w-full flex-col gap-1.5 px-4 py-3 text-left outline-offset-[-2px] hover:bg-hover"
            onClick={() => onOpen(hit)}
          >
            <span className="flex w-full items-baseline gap-2">
              <span className="text-xs text-faint numeric">{from + index}</span>
              <span className="min-w-0 flex-1 truncate font-medium">{hit.metadata.document}</span>
              <span className="font-medium numeric">{hit.score.toFixed(3)}</span>
            </span>
            <span className="text-xs text-muted">
              {isRow(hit.chunkId) ? rowPlace(hit.metadata) : chunkPlace(hit.metadata)}
            </span>
            <span className="line-clamp-3 wrap-anywhere whitespace-pre-line">{hit.content}</span>
            {hit.parentText !== undefined && (
              <span className="text-xs text-muted numeric">
                An agent gets the section around it: {formatTokens(estimateTokens(hit.parentText))}
              </span>
            )}
            <span className="flex flex-wrap gap-x-6 gap-y-1">
              <ScoreBar label="Meaning" score={hit.semanticScore} />
              <ScoreBar label="Words" score={hit.keywordScore} />
              {hit.relevance !== undefined && (
                <span className="text-xs text-muted">
                  Relevance <span className="numeric">{hit.relevance.toFixed(3)}</span>
                </span>
              )}
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}

/** One half's score; its scale begins at 0.5, which is nothing in common. */
function ScoreBar({ label, score }: { label: string; score: number | null }) {
  const share = score === null ? 0 : Math.max(0, (score - 0.5) * 2);
  return (
    <span className="flex items-center gap-2 text-xs text-muted">
      <span>{label}</span>
      <span aria-hidden className="h-1 w-20 overflow-hidden rounded-full bg-pressed">
        <span className="block h-full rounded-full bg-accent" style={{ width: `${share * 100}%` }} />
      </span>
      <span className="numeric">{score === null ? "–" : score.toFixed(3)}</span>
    </span>
  );
}
