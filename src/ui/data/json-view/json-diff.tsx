import { useMemo, useState } from "react";
import { Button } from "../../buttons/button.tsx";
import { DiffText } from "../diff-text.tsx";
import { type DiffPart, wordDiff } from "../word-diff.ts";
import { LongText } from "../long-text.tsx";
import { isDrawnPicture, Picture } from "../../graph/picture.tsx";
import { jsonChanges } from "./json-changes.ts";

/** Places shown at first; two long lists may differ in each of thousands. */
const mostChanges = 100;

/** Longer texts are folded instead. */
const mostCharacters = 6_000;

/** Where two values differ: each place with what stood there and what stands there now. */
export function JsonDiff({ before, after, label }: { before: unknown; after: unknown; label: string }) {
  const changes = useMemo(() => jsonChanges(before, after), [before, after]);
  const [most, setMost] = useState(mostChanges);
  const rest = changes.length - most;
  const next = Math.min(rest, most * 4);
  return (
    <div className="flex flex-col items-start gap-2">
      <dl aria-label={label} className="flex w-full min-w-0 flex-col gap-1 font-mono text-xs">
        {changes.slice(0, most).map((change) => {
          const words = wordsOf(change.before, change.after);
          return (
            <div key={change.path} className="rounded-md border px-2 py-1">
              <dt className="wrap-anywhere text-muted">{change.path === "" ? "all" : change.path}</dt>
              {"before" in change && (
                <dd className="flex gap-1 text-danger">
                  <span aria-hidden>−</span>
                  <del className="min-w-0 no-underline">
                    <Side value={change.before} words={words?.before} alt="Left or before" />
                  </del>
                </dd>
              )}
              {"after" in change && (
                <dd className="flex gap-1 text-success">
                  <span aria-hidden>+</span>
                  <ins className="min-w-0 no-underline">
                    <Side value={change.after} words={words?.after} alt="Right or after" />
                  </ins>
                </dd>
              )}
            </div>
          );
        })}
      </dl>
      {rest > 0 && (
        <Button size="sm" variant="ghost" onClick={() => setMost(most + next)}>
          Show {next.toLocaleString("en")} of {rest.toLocaleString("en")} more differences
        </Button>
      )}
    </div>
  );
}

/** Two texts short enough to be shown whole, compared by word. */
function wordsOf(before: unknown, after: unknown) {
  const fit = typeof before === "string" && typeof after === "string" && before.length + after.length <= mostCharacters;
  return fit && !isDrawnPicture(before) ? wordDiff(before, after) : null;
}

function Side({ value, words, alt }: { value: unknown; words: readonly DiffPart[] | undefined; alt: string }) {
  if (words !== undefined) {
    return (
      <span className="whitespace-pre-wrap wrap-anywhere">
        <DiffText parts={words} />
      </span>
    );
  }
  const pictures = picturesOf(value);
  if (pictures === undefined) {
    return <LongText text={typeof value === "string" ? value : JSON.stringify(value)} className="text-xs" />;
  }
  return (
    <span className="flex flex-wrap gap-2">
      {pictures.map((url, index) => (
        <Picture key={index} url={url} alt={alt} />
      ))}
    </span>
  );
}

/** A picture or a list of nothing but pictures, as a message brings them. */
function picturesOf(value: unknown): string[] | undefined {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  const pictures = values.filter((one) => typeof one === "string").filter(isDrawnPicture);
  return pictures.length > 0 && pictures.length === values.length ? pictures : undefined;
}
