import { Field } from "../ui/fields/field.tsx";
import { Input } from "../ui/fields/input.tsx";

/** Prices as they are typed, in US dollars per million tokens. */
export interface PriceDraft {
  input: string;
  output: string;
}

/** A price as a number from 0; undefined where the text is none. */
export function priceOfText(text: string): number | undefined {
  const number = text.trim() === "" ? Number.NaN : Number(text.trim().replace(",", "."));
  return number >= 0 && number <= 100_000 ? number : undefined;
}

interface PriceInputsProps {
  /** Why they are asked for, in a sentence. */
  reason: string;
  draft: PriceDraft;
  required?: boolean;
  /** Embeddings have no output. */
  hasOutput?: boolean;
  onChange: (draft: PriceDraft) => void;
}

/** Asks for the price of a model that is not listed. */
export function PriceInputs({ reason, draft, required = false, hasOutput = true, onChange }: PriceInputsProps) {
  const row = (name: keyof PriceDraft, label: string) => (
    <Field
      label={label}
      required={required}
      {...(draft[name] !== "" && priceOfText(draft[name]) === undefined ? { error: "Enter a number from 0." } : {})}
    >
      {(control) => (
        <Input
          {...control}
          inputMode="decimal"
          autoComplete="off"
          value={draft[name]}
          onChange={(event) => onChange({ ...draft, [name]: event.target.value })}
        />
      )}
    </Field>
  );
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="text-sm text-muted">
        {reason} Enter US dollars per million tokens: 0 for a server of your own.
      </legend>
      <div className="mt-2 grid gap-3 sm:grid-cols-2">
        {row("input", "Input price")}
        {hasOutput && row("output", "Output price")}
      </div>
    </fieldset>
  );
}
