import { z } from "zod";
import { field } from "../engine/config/field.ts";
import { defineProvider, type ModelListing } from "../engine/model/provider.ts";
import { RunError } from "../engine/run/errors.ts";
import { geminiClient, loadGeminiSdk } from "./gemini/client.ts";
import { geminiEmbeddings } from "./gemini/embeddings.ts";
import { fromGeminiStream } from "./gemini/from-stream.ts";
import { mapGeminiError } from "./gemini/map-error.ts";
import { geminiTraits } from "./gemini/model-traits.ts";
import { geminiDefaults, loggedSettings, safetyThresholds, thinkingLevels } from "./gemini/settings.ts";
import { toGeminiRequest } from "./gemini/to-request.ts";
import { missingCredential } from "./wire/credential.ts";
import { vendorChatModel } from "./wire/vendor-chat-model.ts";

const vendor = "Gemini";
const sampling = "Sampling";
const thinking = "Thinking";

function safety(label: string) {
  return field(z.enum(safetyThresholds).default("default"), {
    label,
    help: "From which likelihood on Gemini blocks it. Default is the vendor's.",
    section: "Safety",
  });
}

/** Google's Gemini over the Gemini API. */
export const geminiProvider = defineProvider({
  id: "gemini",
  nodeType: "gemini-model",
  title: "Google Gemini",
  summary: "Gemini models from Google.",
  icon: "gem",
  credentialTypes: ["gemini"],
  config: z.object({
    temperature: field(z.number().min(0).max(2).default(geminiDefaults.temperature), {
      label: "Temperature",
      help: "0 is steady, 2 is wild.",
    }),
    maxTokens: field(z.number().int().min(1).max(1_000_000).default(geminiDefaults.maxTokens), {
      label: "Max tokens",
      help: "The longest answer, in tokens. Thinking counts: give thinking models more.",
    }),
    streaming: field(z.boolean().default(true), {
      label: "Streaming",
      help: "Show the answer while it is written.",
    }),
    jsonMode: field(z.boolean().default(false), {
      label: "JSON mode",
      help: "The answer is always JSON.",
    }),
    stop: field(z.array(z.string().min(1).max(500)).max(5).default([]), {
      label: "Stop sequences",
      help: "Up to five texts at which the answer ends.",
      control: "string-list",
    }),
    thinkingBudget: field(z.number().int().min(-1).max(65_536).default(geminiDefaults.thinkingBudget), {
      label: "Thinking budget",
      help: "Tokens to think with before the answer. -1 leaves it to the model, 0 turns it off where that is possible.",
      section: thinking,
    }),
    thinkingLevel: field(z.enum(thinkingLevels).default("default"), {
      label: "Thinking level",
      help: "How much models from 3 on think. Takes the place of the budget.",
      section: thinking,
    }),
    topP: field(z.number().min(0).max(1).default(geminiDefaults.topP), {
      label: "Top P",
      help: "Only the likeliest words that together reach this share. 1 leaves it to the model.",
      section: sampling,
    }),
    topK: field(z.number().int().min(0).max(500).default(geminiDefaults.topK), {
      label: "Top K",
      help: "Only this many of the likeliest words. 0 leaves it to the model.",
      section: sampling,
    }),
    seed: field(z.number().int().optional(), {
      label: "Seed",
      help: "The same seed and settings give much the same answer. Empty for none.",
      section: sampling,
    }),
    harassment: safety("Harassment"),
    hateSpeech: safety("Hate speech"),
    sexuallyExplicit: safety("Sexually explicit"),
    dangerousContent: safety("Dangerous content"),
  }),
  suggestedModels: ["gemini-flash-latest", "gemini-2.5-flash", "gemini-2.5-pro", "gemini-3-pro-preview"],
  async listModels(context, signal) {
    if (context.credential === "") throw new RunError(missingCredential(vendor));
    try {
      const models: ModelListing[] = [];
      const { models: api } = await geminiClient(context)();
      for await (const model of await api.list({ config: { pageSize: 1000, abortSignal: signal } })) {
        if (!model.name || !model.supportedActions?.includes("generateContent")) continue;
        const title = model.displayName ? { title: model.displayName } : {};
        const going = /deprecated|retired|discontinued/i.test(model.description ?? "");
        models.push({ id: model.name.replace(/^models\//, ""), ...title, ...(going ? { retired: true } : {}) });
      }
      return models;
    } catch (error) {
      throw new RunError(mapGeminiError(error, { vendor, signal, now: context.host.now() }));
    }
  },
  embeddings: geminiEmbeddings,
  create(config, context) {
    const client = geminiClient(context);
    const traits = geminiTraits(config.model);
    const { tools, vision, streaming, json, reasoning } = traits;
    return vendorChatModel({
      provider: "gemini",
      vendor,
      modelId: config.model,
      capabilities: { tools, vision, streaming, json, reasoning },
      settings: loggedSettings(config),
      context,
      mapError: mapGeminiError,
      async prepare(request) {
        const { parameters, warnings } = toGeminiRequest(request, config, traits, await loadGeminiSdk());
        return {
          warnings,
          async start() {
            const { models } = await client();
            const chunks = config.streaming
              ? await models.generateContentStream(parameters)
              : [await models.generateContent(parameters)];
            return fromGeminiStream(chunks, vendor, context.host.newId);
          },
        };
      },
    });
  },
});
