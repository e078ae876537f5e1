import { priceOf } from "../../engine/model/prices.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import { priceOfText } from "../../forms/price-inputs.tsx";

/** The prices of a model as they are typed; empty where the list's hold. */
export interface PriceTexts {
  inputPrice: string;
  outputPrice: string;
}

export const noPrices: PriceTexts = { inputPrice: "", outputPrice: "" };

/** Stored prices in the form. */
export function priceTexts({ inputPrice, outputPrice }: JsonObject): PriceTexts {
  const text = (value: Json | undefined) => (typeof value === "number" ? String(value) : "");
  return { inputPrice: text(inputPrice), outputPrice: text(outputPrice) };
}

/** In US dollars per million tokens. */
type Prices = Partial<Record<keyof PriceTexts, number>>;

/** The typed prices as they are stored, and whether one of them is none. */
export function readPrices(texts: PriceTexts): { prices: Prices; isWrong: boolean } {
  const prices: Prices = {};
  let isWrong = false;
  for (const name of ["inputPrice", "outputPrice"] as const) {
    if (texts[name].trim() === "") continue;
    const price = priceOfText(texts[name]);
    if (price === undefined) isWrong = true;
    else prices[name] = price;
  }
  return { prices, isWrong };
}

/** Whether the price of a model has to be asked for: the demo and models in the browser cost nothing. */
export function isUnlisted(provider: string, model: string): boolean {
  if (provider === "" || model.trim() === "" || provider === "demo" || provider === "browser") return false;
  return priceOf(provider, model) === null;
}
