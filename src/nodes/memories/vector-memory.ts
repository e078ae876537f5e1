import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import { usualEmbeddingVendor } from "../../engine/vendors/usual-embedding-vendor.ts";
import { providers } from "../../providers/index.ts";
import { embeddingPriceField } from "../models/price-fields.ts";
import { encryptionFinding, memoryFields } from "./memory-fields.ts";

const vendors = providers.filter((provider) => provider.embeddings);
const withKey = vendors.filter((provider) => provider.credentialTypes.length > 0);

const config = z.object({
  maxMessages: field(z._default(z.int().check(z.minimum(1), z.maximum(100)), 10), {
    label: "Last messages",
    help: "How many of the last messages the model sees in any case.",
  }),
  topK: field(z._default(z.int().check(z.minimum(1), z.maximum(50)), 5), {
    label: "Similar messages",
    help: "How many older messages similar to the question are added.",
  }),
  provider: field(z._default(z.enum(vendors.map((provider) => provider.id)), usualEmbeddingVendor), {
    label: "Embeddings from",
    help: "Which provider turns messages into vectors. Demo: compares words, without a key.",
    optionTitles: Object.fromEntries(vendors.map((provider) => [provider.id, provider.title])),
    section: "Embeddings",
  }),
  credential: field(z._default(z.string().check(z.maxLength(200)), ""), {
    label: "Credential",
    help: "Which stored credential signs the embedding requests. Only its id is kept in the workflow.",
    control: "credential",
    credentialTypes: withKey.flatMap((provider) => provider.credentialTypes),
    section: "Embeddings",
    visibleWhen: { field: "provider", in: withKey.map((provider) => provider.id) },
  }),
  embeddingModel: field(z._default(z.string().check(z.trim(), z.maxLength(200)), ""), {
    label: "Embedding model",
    help: "Empty: the provider's default. Messages embedded with another model are no longer found.",
    placeholder: "The provider's default",
    section: "Embeddings",
  }),
  embeddingPrice: embeddingPriceField({ field: "provider", in: withKey.map((provider) => provider.id) }),
  ...memoryFields,
});

export const vectorMemory = defineNode({
  type: "vector-memory",
  version: 1,
  role: "memory",
  keepsAt: () => ({ storage: "postgres" }),
  title: "Vector memory",
  summary: "Remembers the last messages and finds older ones that are like the question.",
  icon: "waypoints",
  config,
  inputs: {},
  outputs: { memory: out("memory", { label: "Memory", side: "right" }) },
  reach: [{ to: "conversations" }, { to: "embeddings", credential: "credential" }],
  calls({ provider = usualEmbeddingVendor, embeddingModel = "", embeddingPrice }) {
    const chosen = vendors.find(({ id }) => id === provider);
    const model = embeddingModel === "" ? chosen?.embeddings?.suggestedModels[0] : embeddingModel;
    if (chosen === undefined || typeof model !== "string") return [];
    const price = typeof embeddingPrice === "number" ? { input: embeddingPrice, output: 0 } : undefined;
    return [{ provider: chosen.id, model, price, fields: ["embeddingPrice"] }];
  },
  describe: (raw) => `Last ${String(raw["maxMessages"] ?? 10)} and ${String(raw["topK"] ?? 5)} similar messages`,
  check: (_raw, workflow) =>
    encryptionFinding(workflow, {
      field: "provider",
      severity: "error",
      message: "This workflow encrypts its conversations, and vectors would give away what the messages mean.",
      hint: "Use a window, summary or buffer memory, or turn the encryption off in the workflow's privacy settings.",
    }),
  load: () => import("./vector-memory.run.ts"),
});
