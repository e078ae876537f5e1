import { useMutation } from "@tanstack/react-query";
import type { CollectionSummary } from "../../../services/knowledge.ts";
import { useServices } from "../../../services/services-context.tsx";
import type { SourceSummary } from "../../../services/web-sources.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { IconButton } from "../../../ui/buttons/icon-button.tsx";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { showError } from "../../../ui/feedback/toast.tsx";
import { formatMoment } from "../../../ui/text/format-moment.ts";
import { useNow } from "../../../ui/text/use-now.ts";
import { counted } from "../ingest-text.ts";
import { useRefreshKnowledge } from "../knowledge-queries.ts";
import { embeddingQuestion, intervalText, kindTitles, reportText, progressText } from "./source-text.ts";

interface SourceRowProps {
  source: SourceSummary;
  collection: CollectionSummary;
  onEdit: () => void;
  onDelete: () => void;
}

/** A source, what its last reload did, and what is wrong with its pages. */
export function SourceRow({ source, collection, onEdit, onDelete }: SourceRowProps) {
  const { webSources } = useServices();
  const refresh = useRefreshKnowledge();
  const now = useNow();
  const reload = useMutation({
    mutationFn: (accept: boolean) => webSources.reload(source.id, { accept }),
    onError: (error) => showError(error),
    onSettled: refresh,
  });
  const { url, kind, state, last, failures, documents, everyHours, maxPages } = source;
  const work = progressText(source, now);
  return (
    <li className="flex flex-col gap-2 border-b px-3 py-3 last:border-b-0 sm:px-4">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <div className="min-w-48 flex-1">
          <p className="flex min-w-0 items-center gap-2">
            <a
              href={url}
              target="_blank"
              rel="noopener noreferrer nofollow"
              className="truncate font-medium hover:underline"
            >
              {url}
            </a>
            <Badge>{kindTitles[kind]}</Badge>
          </p>
          <p className="flex flex-wrap gap-x-3 text-xs text-muted numeric">
            <span>{counted(documents, "document")}</span>
            <span>{intervalText(everyHours)}</span>
            {last !== null && !last.counted && (
              <span>
                <time dateTime={last.endedAt}>{formatMoment(Date.parse(last.endedAt))}</time>: {reportText(last)}
              </span>
            )}
            {work !== undefined && (
              <span role="status" className="text-accent">
                {work}
              </span>
            )}
          </p>
        </div>
        <span className="flex gap-1">
          {state !== "asking" && (
            <Button
              size="sm"
              icon="refresh-cw"
              disabled={work !== undefined}
              busy={reload.isPending}
              onClick={() => reload.mutate(false)}
            >
              Reload now
            </Button>
          )}
          <IconButton size="sm" icon="pencil" label={`Edit ${url}`} onClick={onEdit} />
          <IconButton size="sm" icon="trash-2" label={`Delete ${url}`} onClick={onDelete} />
        </span>
      </div>
      {state === "asking" && last !== null && (
        <Notice
          title="Ready to load"
          action={
            <Button size="sm" variant="primary" busy={reload.isPending} onClick={() => reload.mutate(true)}>
              Load and embed
            </Button>
          }
        >
          {embeddingQuestion(collection.embedding, last)}
        </Notice>
      )}
      {last !== null && last.error !== null && (
        <Notice tone="warning" title={last.error.message}>
          {last.error.hint}
        </Notice>
      )}
      {last?.cut === true && (
        <Notice tone="warning" title={`There are more than ${counted(maxPages, "page")}.`}>
          The rest was left out. Raise the maximum number of pages, or exclude some of them.
        </Notice>
      )}
      {failures.length > 0 && (
        <details className="text-xs">
          <summary className="cursor-default text-muted hover:text-ink">
            Pages that failed ({counted(Math.max(failures.length, (last?.failed ?? 0) + (last?.gone ?? 0)), "page")})
          </summary>
          <ul className="mt-1 flex flex-col gap-1">
            {failures.map((failure) => (
              <li key={failure.url} className="wrap-anywhere">
                {failure.url}
                <span className="block text-danger">
                  {failure.message} {failure.hint}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}
