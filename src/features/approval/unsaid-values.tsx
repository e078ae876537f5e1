import type { UnsaidValue } from "../../engine/trust/provenance/unsaid-value.ts";
import { visibleName } from "../../engine/text/visible-name.ts";

const shownAtOnce = 10;

/** What a question is about: each value that the person did not give, where it was read, and the sentence it stood in. */
export function UnsaidValues({ values }: { values: readonly UnsaidValue[] }) {
  return (
    <section aria-label="Not from you" className="min-w-0 basis-full rounded-md border border-line bg-surface p-2">
      <h3 className="text-xs font-medium text-muted">Not from you</h3>
      <UnsaidList values={values.slice(0, shownAtOnce)} />
      {values.length > shownAtOnce && (
        <details className="mt-2">
          <summary className="cursor-pointer text-muted max-sm:py-2">
            {values.length - shownAtOnce} more {values.length === shownAtOnce + 1 ? "value" : "values"}
          </summary>
          <UnsaidList values={values.slice(shownAtOnce)} />
        </details>
      )}
    </section>
  );
}

function UnsaidList({ values }: { values: readonly UnsaidValue[] }) {
  return (
    <ul className="mt-1 flex flex-col gap-2">
      {values.map((value, index) => (
        <li key={index} className="min-w-0 wrap-anywhere">
          <UnsaidLine value={value} />
        </li>
      ))}
    </ul>
  );
}

function UnsaidLine({ value: { path, value, origin, from } }: { value: UnsaidValue }) {
  if (path.length === 0) return <p>Nothing you wrote asked for this call.</p>;
  return (
    <>
      <p>
        <span className="font-mono text-xs">{visibleName(path.join("."))}</span>{" "}
        <mark className="rounded-sm bg-warning-soft px-1 font-medium text-ink">
          <bdi>{visibleName(value)}</bdi>
        </mark>
      </p>
      <p className="text-xs text-muted">
        {from === undefined ? (
          noSource[origin]
        ) : (
          <>
            Read in <bdi className="font-medium">{visibleName(from.title)}</bdi>
            {from.sentence !== "" && (
              <>
                : <Sentence text={visibleName(from.sentence)} value={visibleName(value)} />
              </>
            )}
          </>
        )}
      </p>
    </>
  );
}

const noSource: Record<UnsaidValue["origin"], string> = {
  caller: "Given by whoever called this workflow.",
  outside: "Read in text from outside.",
  unknown: "Not found in the conversation. The model may have made it up.",
};

function Sentence({ text, value }: { text: string; value: string }) {
  const at = text.toLowerCase().indexOf(value.toLowerCase());
  if (at === -1) return <q>{text}</q>;
  const end = at + value.length;
  return (
    <q>
      {text.slice(0, at)}
      <mark className="rounded-sm bg-warning-soft text-ink">{text.slice(at, end)}</mark>
      {text.slice(end)}
    </q>
  );
}
