import type { Ref } from "react";
import type { MarkedText } from "./source-blocks.ts";

/** A text as it is, with parts of it marked; `first` gets the first mark. */
export function MarkedWords({ content: { text, marks }, first }: { content: MarkedText; first?: Ref<HTMLElement> }) {
  return (
    <>
      {marks.map(({ from, to }, index) => (
        <span key={from}>
          {text.slice(marks[index - 1]?.to ?? 0, from)}
          <mark ref={index === 0 ? first : undefined} className="rounded-sm bg-warning-soft text-ink">
            {text.slice(from, to)}
          </mark>
        </span>
      ))}
      {text.slice(marks.at(-1)?.to ?? 0)}
    </>
  );
}
