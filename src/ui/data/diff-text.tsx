import type { DiffPart } from "./word-diff.ts";

/** One side of a comparison, its own words marked. */
export function DiffText({ parts }: { parts: readonly DiffPart[] }) {
  return parts.map(({ text, changed }, index) =>
    changed ? (
      <mark key={index} className="bg-transparent font-semibold text-inherit underline decoration-2 underline-offset-2">
        {text}
      </mark>
    ) : (
      <span key={index}>{text}</span>
    ),
  );
}
