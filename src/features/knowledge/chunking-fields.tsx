import type { KnowledgeEmbedding } from "../../engine/knowledge/knowledge.ts";
import { type Chunking, chunkingBounds } from "../../engine/knowledge/source-document.ts";
import { inputLimitOf } from "../../engine/model/embedding-limits.ts";
import { Field } from "../../ui/fields/field.tsx";
import { formatTokens } from "../../ui/text/format-amount.ts";
import { Input } from "../../ui/fields/input.tsx";

/** Size and overlap as they are typed. */
interface ChunkingDraft {
  size: string;
  overlap: string;
}

type ChunkingProblems = Partial<Record<keyof Chunking, string>>;

export function draftOfChunking({ size, overlap }: Chunking): ChunkingDraft {
  return { size: String(size), overlap: String(overlap) };
}

function wholeNumber(text: string): number | null {
  return /^\d{1,9}$/.test(text.trim()) ? Number(text) : null;
}

/**
 * The chunking that was typed, or what is wrong with it, by field. A chunk that the embedding model would not take is no
 * chunking for it.
 */
export function readChunking(
  draft: ChunkingDraft,
  embedding: KnowledgeEmbedding | null,
): { ok: true; chunking: Chunking } | { ok: false; problems: ChunkingProblems } {
  const chunking = { size: wholeNumber(draft.size), overlap: wholeNumber(draft.overlap) };
  const problems: ChunkingProblems = {};
  for (const name of ["size", "overlap"] as const) {
    const { min, max } = chunkingBounds[name];
    const value = chunking[name];
    if (value === null || value < min || value > max) problems[name] = `Enter a whole number from ${min} to ${max}.`;
  }
  const { size, overlap } = chunking;
  const limit = embedding && inputLimitOf(embedding);
  if (embedding && limit !== null && size !== null && size > limit) {
    problems.size = `${embedding.model} takes at most ${formatTokens(limit)} at once. Enter ${limit} or less.`;
  }
  if (size === null || overlap === null || Object.keys(problems).length > 0) return { ok: false, problems };
  if (overlap >= size) return { ok: false, problems: { overlap: "The overlap must be smaller than a chunk." } };
  return { ok: true, chunking: { size, overlap } };
}

/** How documents are cut. */
export function ChunkingFields(props: {
  value: ChunkingDraft;
  problems: ChunkingProblems;
  onChange: (draft: ChunkingDraft) => void;
}) {
  const { value, problems, onChange } = props;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field
        label="Chunk size"
        help="Tokens per chunk. Smaller chunks are more precise, larger ones keep more context."
        error={problems.size}
      >
        {(control) => (
          <Input
            {...control}
            inputMode="numeric"
            value={value.size}
            onChange={(event) => onChange({ ...value, size: event.target.value })}
          />
        )}
      </Field>
      <Field label="Overlap" help="Tokens that a chunk repeats of the one before it." error={problems.overlap}>
        {(control) => (
          <Input
            {...control}
            inputMode="numeric"
            value={value.overlap}
            onChange={(event) => onChange({ ...value, overlap: event.target.value })}
          />
        )}
      </Field>
    </div>
  );
}
