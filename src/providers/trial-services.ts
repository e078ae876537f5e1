import { type AnswerCache, createJudge } from "../engine/evaluation/judge/judge.ts";
import { createSimulatedUser } from "../engine/evaluation/judge/simulated-user.ts";
import { createSimilarity } from "../engine/evaluation/judge/similarity.ts";
import type { TrialServices } from "../engine/evaluation/run/run-evaluation.ts";
import type { Suite } from "../engine/evaluation/suite/suite.ts";
import type { Host } from "../engine/host.ts";
import type { ChatModel } from "../engine/model/chat-model.ts";
import { addCost } from "../engine/model/usage.ts";
import { RunError } from "../engine/run/errors.ts";
import { embedBatch } from "./embeddings/embed-batch.ts";
import { providers } from "./index.ts";

interface ServiceOptions {
  suite: Pick<Suite, "judge" | "embeddings" | "simulatedUser">;
  host: Host;
  cache: AnswerCache;
}

/** What makes the judge, the embeddings and the simulated user of each trial. Rejects with a RunError for a provider that there is not. */
export async function createTrialServices({
  suite: { judge, embeddings, simulatedUser },
  host,
  cache,
}: ServiceOptions): Promise<(signal: AbortSignal) => TrialServices> {
  const model = judge && (await createModel(judge, "judge", host));
  const userModel = simulatedUser && (await createModel(simulatedUser, "user", host));
  if (embeddings && !providerOf(embeddings.provider).embeddings)
    throw unknown(`The provider "${embeddings.provider}" has no embeddings.`, "Name another one.");
  return (signal) => {
    let cost: number | null = 0;
    const count = (costUsd: number | null) => {
      cost = addCost(cost, costUsd);
    };
    const embed = async (texts: readonly string[]) => {
      if (!embeddings) return [];
      const { vectors, use } = await embedBatch(texts, embeddings, { host, signal });
      count(use.costUsd);
      return vectors;
    };
    return {
      cost: () => cost,
      ...(model ? { judge: createJudge(model, { cache, signal, onCost: count }) } : {}),
      ...(userModel ? { simulatedUser: createSimulatedUser(userModel, count) } : {}),
      ...(embeddings
        ? { similarity: createSimilarity(embed, { cache, model: `${embeddings.provider} ${embeddings.model}` }) }
        : {}),
    };
  };
}

/** A model besides the agent's. `nodeId` stands for it in errors. Rejects with a RunError for a provider that there is not. */
export async function createModel(chosen: NonNullable<Suite["judge"]>, nodeId: string, host: Host): Promise<ChatModel> {
  const provider = providerOf(chosen.provider);
  const config = provider.config.parse({});
  return provider.create({ ...config, model: chosen.model }, { host, credential: chosen.credential, nodeId });
}

function providerOf(id: string) {
  const provider = providers.find((one) => one.id === id);
  if (provider) return provider;
  const known = providers.map((one) => one.id).join(", ");
  throw unknown(`There is no model provider "${id}".`, `Those known are ${known}.`);
}

function unknown(message: string, hint: string): RunError {
  return new RunError({ code: "invalid_config", message, hint });
}
