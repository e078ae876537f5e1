import type { UnsaidValue } from "../../engine/trust/provenance/unsaid-value.ts";
import { unaskedText } from "../../engine/trust/provenance/unsaid-text.ts";
import type { Taint } from "../../engine/trust/taint.ts";
import { visibleName } from "../../engine/text/visible-name.ts";

const shownAtOnce = 10;
/** With more, the sentences around them would push the first values away from the buttons. */
const withSentences = 3;

interface UnsaidValuesProps {
  values: readonly UnsaidValue[];
  /** What came from outside before the call. */
  untrusted: Taint | undefined;
}

/**
 * What a question is about: each value that the person did not give, where it was read, and the sentence it stood in. It belongs
 * right above the buttons, so that nobody answers without having it in view.
 */
export function UnsaidValues({ values, untrusted }: UnsaidValuesProps) {
  const [first] = values;
  const heading = first?.asker === undefined ? "Not from you" : `Not from the ${first.asker}`;
  const isShort = values.length <= withSentences;
  return (
    <section aria-label={heading} className="min-w-0 basis-full rounded-md border border-line bg-surface p-2">
      <h3 className="text-xs font-medium text-muted">{heading}</h3>
      <UnsaidList values={values.slice(0, shownAtOnce)} untrusted={untrusted} brief={!isShort} />
      {values.length > shownAtOnce && (
        <details className="mt-2">
          <summary className="cursor-pointer text-muted max-sm:py-2">
            {values.length - shownAtOnce} more {values.length === shownAtOnce + 1 ? "value" : "values"}
          </summary>
          <UnsaidList values={values.slice(shownAtOnce)} untrusted={untrusted} brief />
        </details>
      )}
      {!isShort && (
        <details className="mt-2">
          <summary className="cursor-pointer text-muted max-sm:py-2">Where they were read</summary>
          <UnsaidList values={values} untrusted={untrusted} />
        </details>
      )}
    </section>
  );
}

function UnsaidList({ values, untrusted, brief = false }: UnsaidValuesProps & { brief?: boolean }) {
  return (
    <ul className={`mt-1 flex flex-col ${brief ? "gap-1" : "gap-2"}`}>
      {values.map((value, index) => (
        <li key={index} className="min-w-0 wrap-anywhere">
          <UnsaidLine value={value} untrusted={untrusted} brief={brief} />
        </li>
      ))}
    </ul>
  );
}

interface UnsaidLineProps extends Omit<UnsaidValuesProps, "values"> {
  value: UnsaidValue;
  brief: boolean;
}

function UnsaidLine({ value: unsaid, untrusted, brief }: UnsaidLineProps) {
  const { path, value, origin, from } = unsaid;
  if (path.length === 0) return <p>{unaskedText(unsaid, untrusted)}</p>;
  return (
    <>
      <p>
        <span className="font-mono text-xs">{visibleName(path.join("."))}</span>{" "}
        <mark className="rounded-sm bg-warning-soft px-1 font-medium text-ink">
          <bdi>{visibleName(value)}</bdi>
        </mark>
      </p>
      {!brief && (
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
      )}
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
