import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { defineNode, type RunContext } from "../../engine/document/define-node.ts";
import { out } from "../../engine/document/ports.ts";
import { usualEmbeddingVendor } from "../../engine/vendors/usual-embedding-vendor.ts";
import { providers } from "../../providers/index.ts";
import type { Memory, MemoryTurn } from "../../engine/memory/memory.ts";
import type { EmbeddedMessage, StoredMessage } from "../../engine/host.ts";
import { type Message, messageText } from "../../engine/model/message.ts";
import { inputLimitOf } from "../../engine/model/embedding-limits.ts";
import { RunError } from "../../engine/errors.ts";
import { embedCounted } from "../../providers/embeddings/embed-counted.ts";
import { embeddingPriceField } from "../models/price-fields.ts";
import { encryptionFinding, memoryFamily, memoryFields } from "./memory-fields.ts";
import { wholeWindow } from "./message-window.ts";
import { recalledMessage } from "./recalled-messages.ts";
import { openSession, writeName } from "./open-session.ts";

const vendors = providers.filter((provider) => provider.embeddings);
const withKey = vendors.filter((provider) => provider.credentialTypes.length > 0);

const config = z.object({
  maxMessages: field(z._default(z.int().check(z.minimum(1), z.maximum(100)), 10), {
    label: "Last messages",
    help: "How many of the last messages the model always sees.",
  }),
  topK: field(z._default(z.int().check(z.minimum(1), z.maximum(50)), 5), {
    label: "Similar messages",
    help: "How many older messages that resemble the question are added.",
  }),
  provider: field(z._default(z.enum(vendors.map((provider) => provider.id)), usualEmbeddingVendor), {
    label: "Embeddings from",
    help: "Which vendor makes messages comparable by meaning. Demo: compares words, without a key.",
    optionTitles: Object.fromEntries(vendors.map((provider) => [provider.id, provider.title])),
    section: "Embeddings",
  }),
  credential: field(z._default(z.string().check(z.maxLength(200)), ""), {
    label: "Credential",
    help: "Your key for the embedding model. The workflow only refers to it and never contains it.",
    control: "credential",
    credentialTypes: withKey.flatMap((provider) => provider.credentialTypes),
    section: "Embeddings",
    visibleWhen: { field: "provider", in: withKey.map((provider) => provider.id) },
  }),
  embeddingModel: field(z._default(z.string().check(z.trim(), z.maxLength(200)), ""), {
    label: "Embedding model",
    help: "Empty: the vendor's default. After a change, messages from before are no longer found.",
    placeholder: "The vendor's default",
    section: "Embeddings",
  }),
  embeddingPrice: embeddingPriceField({ field: "provider", in: withKey.map((provider) => provider.id) }),
  ...memoryFields,
});

type Config = z.infer<typeof config>;

export const vectorMemory = defineNode({
  type: "vector-memory",
  version: 1,
  role: "memory",
  keepsAt: () => ({ storage: "postgres" }),
  title: "Vector memory",
  summary: "Keeps the last messages and finds older ones that fit.",
  keywords: ["vector store", "embeddings", "semantic", "similar", "long-term", "remember"],
  family: memoryFamily,
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
  run,
});

/** Characters of one message that its vector is made from, as far as the model takes them. */
const maxEmbeddedChars = 16_000;
/** Less than the four that a token usually has, since the rest of a longer message is only cut off. */
const charsPerToken = 2;

/** What of a message can be looked for; empty for a tool's result and for a call without words. */
function searchText(message: Message): string {
  return message.role === "tool" || message.role === "system" ? "" : messageText(message).trim();
}

function run(context: RunContext<Config, unknown>): Memory {
  const { config: settings, host, signal, node } = context;
  const { maxMessages, topK, credential } = settings;
  const { defaultSession, keyOf, guarded, startsEmpty } = openSession(context);
  const embeddings = providers.find((provider) => provider.id === settings.provider)?.embeddings;
  const model = settings.embeddingModel || (embeddings?.suggestedModels[0] ?? "");
  const limit = inputLimitOf({ provider: settings.provider, model });
  const embeddedChars = Math.min(maxEmbeddedChars, limit === null ? Infinity : limit * charsPerToken);
  const modelName = `${settings.provider}/${model}`;
  /** The question is looked for and later stored; its vector is asked for once. */
  const known = new Map<string, readonly number[]>();

  async function embed(texts: readonly string[], turn: MemoryTurn): Promise<readonly (readonly number[])[]> {
    const cut = texts.map((text) => text.slice(0, embeddedChars));
    const missing = [...new Set(cut)].filter((text) => !known.has(text));
    if (missing.length > 0 && embeddings) {
      const embedding = { provider: settings.provider, model, credential };
      const { spending = [] } = turn;
      const price = settings.embeddingPrice;
      const request = { embedding, texts: missing, signal, host, nodeId: node.id, spending, price };
      const { vectors, use } = await embedCounted(embeddings, request);
      turn.addEmbedding?.(use);
      missing.forEach((text, index) => known.set(text, vectors[index] ?? []));
    }
    return cut.map((text) => known.get(text) ?? []);
  }

  /** Without vectors the memory is a window: less, but not nothing. */
  async function embedOrWarn(texts: readonly string[], turn: MemoryTurn, consequence: string) {
    try {
      return await embed(texts, turn);
    } catch (error) {
      signal.throwIfAborted();
      const reason = error instanceof Error ? error.message : String(error);
      const hint = error instanceof RunError ? error.data.hint : "Check provider, credential and embedding model.";
      context.emit({ type: "warning", nodeId: node.id, message: `${consequence}: ${reason}`, hint });
      return undefined;
    }
  }

  async function similar(session: string, turn: MemoryTurn, recent: readonly StoredMessage[]) {
    const question = turn.question.trim();
    if (question === "") return [];
    const vectors = await embedOrWarn([question], turn, "Older messages could not be searched");
    const embedding = vectors?.[0];
    if (!embedding) return [];
    const before = recent[0]?.id;
    const query = { embedding, model: modelName, limit: topK, signal };
    return await host.vectors.search(keyOf(session), before === undefined ? query : { ...query, before });
  }

  return {
    defaultSession,
    isOwn: true,
    label: `vector · ${maxMessages} + ${topK}`,
    getMessages: (session, turn) =>
      guarded("read", async () => {
        const key = keyOf(session);
        if (await startsEmpty(session, () => host.messages.prune(key, 0))) return [];
        const stored = await host.messages.loadStored(key, { limit: maxMessages, signal });
        const window = wholeWindow(stored.map((entry) => entry.message));
        if (!turn || stored.length < maxMessages) return window;
        const recent = stored.slice(stored.length - window.length);
        const found = await similar(session, turn, recent);
        const recalled = recalledMessage(found.map((entry) => entry.message));
        return recalled ? [recalled, ...window] : window;
      }),
    addMessages: (session, messages, turn, write) =>
      guarded("written", async () => {
        if (!turn) return await host.messages.append(keyOf(session), messages, writeName(write));
        const texts = messages.map(searchText).filter((text) => text !== "");
        // After Stop nothing is asked of a vendor any more.
        const vectors = signal.aborted
          ? texts.map((text) => known.get(text.slice(0, embeddedChars)))
          : await embedOrWarn(texts, turn, "These messages will not be found by meaning");
        let next = 0;
        const entries = messages.map((message): EmbeddedMessage => {
          const embedding = searchText(message) === "" ? null : (vectors?.[next++] ?? null);
          return { message, embedding };
        });
        await host.vectors.append(keyOf(session), entries, modelName, write && { id: write.id });
      }),
    clear: (session) => guarded("cleared", () => host.messages.prune(keyOf(session), 0)),
  };
}
