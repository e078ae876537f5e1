import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import type { ChatModel, ModelPrice } from "../../engine/model/chat-model.ts";
import type { ProviderDefinition } from "../../engine/model/provider.ts";
import { checkPrices, ownPriceOf, priceFields } from "./price-fields.ts";

const chosen = z.object({ credential: z._default(z.string(), ""), model: z.string() });

function priced(model: ChatModel, own: ModelPrice | undefined): ChatModel {
  if (!own) return model;
  const { provider, catalog, modelId, capabilities, settings, answerTokens, uncounted } = model;
  return {
    provider,
    ...(catalog ? { catalog } : {}),
    modelId,
    capabilities,
    settings,
    price: own,
    ...(answerTokens ? { answerTokens } : {}),
    ...(uncounted ? { uncounted } : {}),
    stream: (request) => model.stream(request),
  };
}

/** The settings that every model node has besides its provider's own. */
function commonFields(provider: ProviderDefinition): z.core.$ZodShape {
  const [usual] = provider.suggestedModels;
  const name = z.string().check(z.trim(), z.maxLength(200));
  // Without a usual one it is empty until somebody chooses, which `required` asks for.
  const model = field(usual === undefined ? z._default(name, "") : z._default(name.check(z.minLength(1)), usual), {
    label: "Model",
    help: "Choose from the provider's list or type any name.",
    control: "model-name",
    required: true,
  });
  if (provider.credentialTypes.length === 0) return { model };
  const credential = field(z._default(z.string().check(z.maxLength(200)), ""), {
    label: "Credential",
    help: "Your key for this vendor. The workflow only refers to it and never contains it.",
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
  return defineNode({
    type: provider.nodeType,
    version: 1,
    role: "model",
    title: provider.title,
    summary: provider.summary,
    keywords: provider.keywords,
    icon: provider.icon,
    config: z.object(fields),
    inputs: {},
    outputs: { model: out("model", { label: "Model", side: "top" }) },
    reach: provider.reach,
    check: checkPrices,
    calls({ model = provider.suggestedModels[0], ...config }) {
      if (!needsKey || typeof model !== "string") return [];
      return [
        {
          provider: provider.catalogOf?.(config) ?? provider.id,
          model: model.trim(),
          price: ownPriceOf(config),
          fields: ["inputPrice", "outputPrice"],
        },
      ];
    },
    describe: (config) => provider.describe?.(config) ?? (typeof config["model"] === "string" ? config["model"] : ""),
    run({ config, host, node }) {
      const { credential, model } = chosen.parse(config);
      const chatModel = provider.create({ ...config, model }, { host, credential, nodeId: node.id });
      return priced(chatModel, ownPriceOf(config));
    },
  });
}
