import { z } from "zod/mini";
import { field } from "../engine/config/field.ts";
import { suggestedModels } from "../engine/models/newer-models.ts";
import { defineProvider } from "../engine/model/provider.ts";
import { openaiChatModel } from "./openai/chat-model.ts";
import { openaiTranscription } from "./openai/transcription.ts";
import { openaiSender } from "./openai/client.ts";
import { openaiEmbeddings } from "./openai/embeddings.ts";
import { modelTraits } from "./openai/model-traits.ts";
import { openaiConfig, ownConfig, vendorName } from "./openai/openai-settings.ts";

/** OpenAI: the Responses API, and Chat Completions for what has nothing else. */
export const openaiProvider = defineProvider({
  id: "openai",
  nodeType: "openai-model",
  title: "OpenAI",
  summary: "GPT models from OpenAI.",
  keywords: ["llm", "chatgpt", "gpt", "reasoning", "gpt-4", "gpt-5", "o3", "model", "image", "vision"],
  icon: "letter-o",
  credentialTypes: ["openai"],
  reach: [{ to: "model", searches: ({ webSearch }) => webSearch === true }],
  config: z.object({
    ...openaiConfig,
    ...ownConfig,
    api: field(z._default(z.enum(["auto", "chat", "responses"]), "auto"), {
      label: "API",
      help: "Auto uses Responses where the model and the settings allow it. Choose Chat Completions for a gateway that has nothing else.",
      optionTitles: { auto: "Auto", chat: "Chat Completions", responses: "Responses" },
      section: "Answer",
    }),
  }),
  suggestedModels: suggestedModels.openai,
  canSee: (model) => modelTraits(model).vision,
  filesOf: (model) => modelTraits(model).files ?? [],
  async listModels(context, signal) {
    const { listOpenaiModels } = await import("./openai/list-models.ts");
    return await listOpenaiModels({ provider: "openai", vendor: vendorName, context, keep: chats }, signal);
  },
  embeddings: openaiEmbeddings({
    provider: "openai",
    vendor: vendorName,
    suggestedModels: ["text-embedding-3-small", "text-embedding-3-large", "text-embedding-ada-002"],
  }),
  transcription: openaiTranscription({
    provider: "openai",
    vendor: vendorName,
    suggestedModels: ["gpt-4o-mini-transcribe", "gpt-4o-transcribe", "whisper-1"],
    // platform.openai.com/docs/pricing, "Transcription and speech generation".
    perMinuteUsd: { "gpt-4o-mini-transcribe": 0.003, "gpt-4o-transcribe": 0.006, "whisper-1": 0.006 },
  }),
  create(config, context) {
    return openaiChatModel({
      provider: "openai",
      vendor: vendorName,
      server: "openai",
      settings: { ...config, own: config },
      traits: modelTraits(config.model),
      streaming: config.streaming,
      api: config.api,
      context,
      send: openaiSender("openai", context),
    });
  },
});

/** OpenAI lists everything it sells; these are the names that do not chat. */
function chats(id: string): boolean {
  return !/embedding|whisper|tts|dall-e|image|moderation|davinci|babbage|realtime|audio|transcribe|sora|instruct/.test(
    id,
  );
}
