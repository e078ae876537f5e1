import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { type ConfigFinding, defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import type { JsonObject } from "../../engine/json.ts";
import type { ChatModel, ModelPrice } from "../../engine/model/chat-model.ts";
import type { ProviderDefinition } from "../../engine/model/provider.ts";

/** A type of its own for each field: what is said of a field hangs on its type. */
const price = () => z._default(z.nullable(z.number().check(z.minimum(0), z.maximum(100_000))), null);

const priceFields = {
  inputPrice: field(price(), {
    label: "Input price",
    placeholder: "from the price list",
    help: "US dollars per million input tokens; needs the output price, too. Empty: the built-in price list.",
    section: "Cost",
  }),
  outputPrice: field(price(), {
    label: "Output price",
    placeholder: "from the price list",
    help: "US dollars per million output tokens; needs the input price, too. Empty: the built-in price list.",
    section: "Cost",
  }),
};

const chosen = z.object({ credential: z._default(z.string(), ""), model: z.string() });
const ownPrice = z.object({ inputPrice: z.number(), outputPrice: z.number() });

function priceOf(config: unknown): ModelPrice | undefined {
  const parsed = ownPrice.safeParse(config);
  return parsed.success ? { input: parsed.data.inputPrice, output: parsed.data.outputPrice } : undefined;
}

/** One price without the other says nothing; better told than left aside. */
function checkPrices({ inputPrice, outputPrice }: JsonObject): ConfigFinding[] {
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

function priced(model: ChatModel, own: ModelPrice | undefined): ChatModel {
  if (!own) return model;
  const { provider, modelId, capabilities, settings } = model;
  return { provider, modelId, capabilities, settings, price: own, stream: (request) => model.stream(request) };
}

/** The settings that every model node has besides its provider's own. */
function commonFields(provider: ProviderDefinition): z.core.$ZodShape {
  const model = field(
    z._default(z.string().check(z.trim(), z.minLength(1), z.maxLength(200)), provider.suggestedModels[0] ?? ""),
    {
      label: "Model",
      help: "Choose from the provider's list or type any name.",
      control: "model-name",
      required: true,
    },
  );
  if (provider.credentialTypes.length === 0) return { model };
  const credential = field(z._default(z.string().check(z.maxLength(200)), ""), {
    label: "Credential",
    help: "Which stored credential signs the requests. Only its id is kept in the workflow.",
    control: "credential",
    credentialTypes: provider.credentialTypes,
    required: true,
  });
  return { credential, model };
}

/** The node of a provider: its settings as a form, its ChatModel on the `model` output. */
export function modelNode(provider: ProviderDefinition) {
  const needsKey = provider.credentialTypes.length > 0;
  const fields: z.core.$ZodShape = {
    ...commonFields(provider),
    ...provider.config.shape,
    ...(needsKey ? priceFields : {}),
  };
  const definition = defineNode({
    type: provider.nodeType,
    version: 1,
    role: "model",
    title: provider.title,
    summary: provider.summary,
    icon: provider.icon,
    config: z.object(fields),
    inputs: {},
    outputs: { model: out("model", { label: "Model", side: "top" }) },
    reach: provider.reach,
    check: checkPrices,
    describe: (config) => provider.describe?.(config) ?? (typeof config["model"] === "string" ? config["model"] : ""),
    async run({ config, host, node }) {
      const { credential, model } = chosen.parse(config);
      const chatModel = await provider.create({ ...config, model }, { host, credential, nodeId: node.id });
      return priced(chatModel, priceOf(config));
    },
  });
  return { ...definition, preload: provider.preload };
}
