import { Field } from "../../ui/fields/field.tsx";
import { Input } from "../../ui/fields/input.tsx";

/** Prices as they are typed, in US dollars per million tokens. */
export interface PriceDraft {
  input: string;
  output: string;
}

/** The config fields of a model node; undefined unless both prices are numbers from 0. */
export function pricesOf({ input, output }: PriceDraft): { inputPrice: number; outputPrice: number } | undefined {
  const inputPrice = numberOf(input);
  const outputPrice = numberOf(output);
  return inputPrice === undefined || outputPrice === undefined ? undefined : { inputPrice, outputPrice };
}

function numberOf(text: string): number | undefined {
  const number = text.trim() === "" ? Number.NaN : Number(text.trim().replace(",", "."));
  return number >= 0 && number <= 100_000 ? number : undefined;
}

interface PriceInputsProps {
  model: string;
  draft: PriceDraft;
  onChange: (draft: PriceDraft) => void;
}

/** Asks for the price of a model that is not listed, for a workflow whose cost budget could not hold without it. */
export function PriceInputs({ model, draft, onChange }: PriceInputsProps) {
  const row = (name: keyof PriceDraft, label: string) => (
    <Field
      label={label}
      required
      {...(draft[name] !== "" && numberOf(draft[name]) === undefined ? { error: "Enter a number from 0." } : {})}
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
        The price of {model} is not known, and an agent here has a cost budget. Enter US dollars per million tokens: 0
        for a server of your own.
      </legend>
      <div className="mt-2 grid gap-3 sm:grid-cols-2">
        {row("input", "Input price")}
        {row("output", "Output price")}
      </div>
    </fieldset>
  );
}
