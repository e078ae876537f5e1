import type { DiffPart } from "./word-diff.ts";

/** One side of a comparison, its own words marked. */
export function DiffText({ parts }: { parts: readonly DiffPart[] }) {
  return parts.map(({ text, changed }, index) =>
    changed ? (
      <mark key={index} className="rounded-xs bg-[color-mix(in_oklab,currentColor_22%,transparent)] text-inherit">
        {text}
      </mark>
    ) : (
      <span key={index}>{text}</span>
    ),
  );
}
