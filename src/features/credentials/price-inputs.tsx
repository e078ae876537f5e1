import { type PriceDraft, PriceInputs as Prices, priceOfText } from "../../forms/price-inputs.tsx";

export type { PriceDraft };

/** The config fields of a model node; undefined unless both prices are numbers from 0. */
export function pricesOf({ input, output }: PriceDraft): { inputPrice: number; outputPrice: number } | undefined {
  const inputPrice = priceOfText(input);
  const outputPrice = priceOfText(output);
  return inputPrice === undefined || outputPrice === undefined ? undefined : { inputPrice, outputPrice };
}

interface PriceInputsProps {
  model: string;
  draft: PriceDraft;
  onChange: (draft: PriceDraft) => void;
}

/** Asks for the price of a model that is not listed, for a workflow whose cost budget could not hold without it. */
export function PriceInputs({ model, draft, onChange }: PriceInputsProps) {
  const reason = `The price of ${model} is not known, and an agent here has a cost budget.`;
  return <Prices required reason={reason} draft={draft} onChange={onChange} />;
}
