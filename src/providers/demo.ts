import { z } from "zod/mini";
import { field } from "../engine/config/field.ts";
import { nowhere } from "../engine/document/reach.ts";
import { RunError } from "../engine/errors.ts";
import { defineProvider } from "../engine/model/provider.ts";
import { answer } from "./demo/answer.ts";
import { embedWords } from "./demo/embeddings.ts";

const config = z.object({
  streaming: field(z._default(z.boolean(), true), {
    label: "Streaming",
    help: "Shows the answer word by word while it is written.",
  }),
  wordDelayMs: field(z._default(z.int().check(z.minimum(0), z.maximum(1_000)), 15), {
    label: "Pause per word (ms)",
    help: "How slowly it writes, so that streaming can be watched.",
    visibleWhen: { field: "streaming", in: [true] },
  }),
});

/**
 * A model without key, network or chance: the same conversation gives the same answer. It exists so that every part of
 * a workflow can be tried before there is a key.
 */
export const demoProvider = defineProvider({
  id: "demo",
  nodeType: "demo-model",
  title: "Demo model",
  summary: "Answers by simple rules, without a key. To try things out.",
  keywords: ["model", "llm", "test", "free"],
  icon: "sparkles",
  credentialTypes: [],
  reach: nowhere,
  config,
  suggestedModels: ["demo"],
  canSee: () => false,
  listModels: () => Promise.resolve([{ id: "demo", title: "Demo" }]),
  describe: () => "Simple rules, no key, no AI",
  embeddings: {
    suggestedModels: ["words-256"],
    embed: ({ texts }) => Promise.resolve(embedWords(texts)),
  },
  create(config, { host, nodeId }) {
    if (config.model !== "demo")
      throw new RunError({
        code: "invalid_config",
        message: `The demo model has no model named "${config.model}".`,
        hint: 'Choose "demo", or use another model node.',
        nodeId,
      });
    return {
      provider: "demo",
      modelId: "demo",
      capabilities: { tools: true, vision: false, streaming: true, json: true, reasoning: false },
      settings: { streaming: config.streaming },
      price: { input: 0, output: 0 },
      stream: (request) => answer(request, config, host),
    };
  },
});
