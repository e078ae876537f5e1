import type { DocumentSummary } from "../../services/knowledge.ts";
import { formatCost, formatTokens } from "../../ui/text/format-amount.ts";
import { formatBytes } from "../../ui/text/format-bytes.ts";
import { formatMoment } from "../../ui/text/format-moment.ts";
import { counted } from "./ingest-text.ts";

/** Size, cost and origin of a document in one line. */
export function DocumentFacts({ document }: { document: DocumentSummary }) {
  const { chunks, tokens, size, costUsd, updatedAt, source, kind } = document;
  return (
    <span className="flex flex-wrap gap-x-3 numeric">
      <span>{kind}</span>
      <span>{counted(chunks, "chunk")}</span>
      <span>{formatTokens(tokens)}</span>
      <span>{formatBytes(size)}</span>
      {costUsd !== 0 && <span>{formatCost(costUsd)}</span>}
      <span>{formatMoment(Date.parse(updatedAt))}</span>
      {/^https?:/i.test(source) && (
        <a href={source} target="_blank" rel="noopener noreferrer nofollow" className="text-accent hover:underline">
          Open the source
        </a>
      )}
    </span>
  );
}
