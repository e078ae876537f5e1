import { z } from "zod/mini";
import type { LocalServerId } from "../../../src/engine/vendors/local-servers.ts";
import {
  listedEmbeddingModels,
  suggestedFirst,
  usualEmbeddingModels,
} from "../../../src/providers/embeddings/listed-models.ts";
import type { GuardedRequest } from "../_shared/guarded-exchange.ts";

/** A JSON answer of a server with status 200; undefined for any other. */
export type AskServer = (request: GuardedRequest) => Promise<unknown>;

/** Models that Ollama is asked about, each in a request of its own; of the others the name decides. */
const maxAsked = 40;
const requestsAtOnce = 4;

// Ollama 0.6.4 and later (docs/api.md, "Show Model Information").
const shown = z.object({ capabilities: z.array(z.string()) });
// LM Studio 0.3.6 and later (lmstudio.ai/docs, "REST API v0").
const typed = z.object({ data: z.array(z.object({ id: z.string(), type: z.string() })) });

/**
 * Which of a server's models make vectors, the likeliest first: as the server itself says, or, where an older one does not, by their
 * names. `origin` is where the server listens.
 */
export async function localEmbeddingModels(
  { id, origin, models }: { id: LocalServerId; origin: string; models: readonly string[] },
  ask: AskServer,
): Promise<string[]> {
  const said = await saysFor[id](origin, models, ask);
  const byName = new Set(
    listedEmbeddingModels(
      usualEmbeddingModels,
      models.map((model) => ({ id: model })),
    ),
  );
  const embed = models.filter((model) => said.get(model) ?? byName.has(model));
  return suggestedFirst(usualEmbeddingModels, embed);
}

type Says = (origin: string, models: readonly string[], ask: AskServer) => Promise<ReadonlyMap<string, boolean>>;

/** How each server says whether a model makes vectors. */
const saysFor: Record<LocalServerId, Says> = {
  async ollama(origin, models, ask) {
    const said = new Map<string, boolean>();
    const open = models.slice(0, maxAsked);
    const askOpen = async () => {
      for (let model = open.shift(); model !== undefined; model = open.shift()) {
        const body = JSON.stringify({ model });
        const headers = { "content-type": "application/json" };
        const answer = shown.safeParse(await ask({ method: "POST", url: `${origin}/api/show`, headers, body }));
        // An older version says nothing of any model, and one that hangs is not asked on.
        if (!answer.success) return;
        said.set(model, answer.data.capabilities.includes("embedding"));
      }
    };
    await Promise.all(Array.from({ length: requestsAtOnce }, askOpen));
    return said;
  },
  async "lm-studio"(origin, _models, ask) {
    const answer = typed.safeParse(await ask({ url: `${origin}/api/v0/models` }));
    return new Map(answer.success ? answer.data.data.map(({ id, type }) => [id, type === "embeddings"] as const) : []);
  },
};
