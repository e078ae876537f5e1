import { z } from "zod/mini";
import { field, type FieldHints } from "../../engine/config/field.ts";
import type { ConfigFinding } from "../../engine/document/define-node.ts";
import type { JsonObject } from "../../engine/json.ts";
import type { ModelPrice } from "../../engine/model/chat-model.ts";

/** A type of its own for each field: what is said of a field hangs on its type. */
const price = () => z._default(z.nullable(z.number().check(z.minimum(0), z.maximum(100_000))), null);

const placeholder = "from the price list";

/** What a model costs whose price is not listed, or another one. */
export const priceFields = {
  inputPrice: field(price(), {
    label: "Input price",
    placeholder,
    help: "US dollars per million input tokens; needs the output price, too. Empty: the built-in price list. Under a spending limit, a model that is not listed needs prices: 0 for a server of your own.",
    section: "Cost",
  }),
  outputPrice: field(price(), {
    label: "Output price",
    placeholder,
    help: "US dollars per million output tokens; needs the input price, too. Empty: the built-in price list.",
    section: "Cost",
  }),
};

/** The same for an embedding model, which has no output. */
export function embeddingPriceField(visibleWhen?: NonNullable<FieldHints["visibleWhen"]>) {
  return field(price(), {
    label: "Embedding price",
    placeholder,
    help: "US dollars per million tokens. Empty: the built-in price list. Under a spending limit, a model that is not listed needs a price: 0 for a server of your own.",
    section: "Embeddings",
    ...(visibleWhen ? { visibleWhen } : {}),
  });
}

const ownPrice = z.object({ inputPrice: z.number(), outputPrice: z.number() });

/** The prices of a node's settings; undefined unless both are there. */
export function ownPriceOf(config: unknown): ModelPrice | undefined {
  const parsed = ownPrice.safeParse(config);
  return parsed.success ? { input: parsed.data.inputPrice, output: parsed.data.outputPrice } : undefined;
}

/** One price without the other says nothing; better told than left aside. */
export function checkPrices({ inputPrice, outputPrice }: JsonObject): ConfigFinding[] {
  const given = [inputPrice, outputPrice].map((one) => typeof one === "number");
  if (given[0] === given[1]) return [];
  const missing = given[0] ? { field: "outputPrice", name: "output" } : { field: "inputPrice", name: "input" };
  return [
    {
      field: missing.field,
      severity: "warning",
      message: `The ${missing.name} price is missing, so the built-in price list is used.`,
      hint: "Enter both prices, or none.",
    },
  ];
}
