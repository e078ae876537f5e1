import type { ChunkEntry } from "../../services/knowledge.ts";
import { classNames } from "../../ui/theme/class-names.ts";
import { formatTokens } from "../../ui/text/format-amount.ts";
import { chunkPlace } from "./chunk-place.ts";

/** `chosen` is the one that was asked for, `plain` another one. */
type ChunkLook = "plain" | "chosen";

const frames: Record<ChunkLook, string> = {
  plain: "bg-surface",
  chosen: "border-accent bg-surface",
};

/** A chunk as it is stored: its place, its size, its text. */
export function ChunkText({ chunk, look }: { chunk: ChunkEntry; look: ChunkLook }) {
  const { heading, position, metadata, tokens, embedded, content } = chunk;
  return (
    <article
      aria-label={`Chunk ${position + 1}`}
      aria-current={look === "chosen" || undefined}
      data-position={position}
      className={classNames("flex flex-col gap-1 rounded-md border px-3 py-2", frames[look])}
    >
      <p className="flex flex-wrap gap-x-3 text-xs text-muted numeric">
        <span className="min-w-0 flex-1 wrap-anywhere">{chunkPlace({ ...metadata, heading, position })}</span>
        <span>{formatTokens(tokens)}</span>
        {embedded && <span>embedded</span>}
      </p>
      <p className="text-base wrap-anywhere whitespace-pre-wrap">{content}</p>
    </article>
  );
}
