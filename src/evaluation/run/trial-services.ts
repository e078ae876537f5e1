import { type AnswerCache, createJudge } from "../judge/judge.ts";
import { createSimulatedUser } from "../judge/simulated-user.ts";
import { createSimilarity } from "../judge/similarity.ts";
import type { EvaluationOptions } from "./run-evaluation.ts";
import { priceOfChosen, type Suite } from "../suite/suite.ts";
import type { Host } from "../../engine/host.ts";
import type { ChatModel } from "../../engine/model/chat-model.ts";
import { addCost } from "../../engine/model/usage.ts";
import { RunError } from "../../engine/errors.ts";
import { embedBatch } from "../../providers/embeddings/embed-batch.ts";
import { providers } from "../../providers/index.ts";

interface ServiceOptions {
  suite: Pick<Suite, "judge" | "embeddings" | "simulatedUser">;
  host: Host;
  cache: AnswerCache;
}

/** What makes the judge, the embeddings and the simulated user of each trial. Throws a RunError for a provider that there is not. */
export async function createTrialServices({
  suite: { judge, embeddings, simulatedUser },
  host,
  cache,
}: ServiceOptions): Promise<NonNullable<EvaluationOptions["openServices"]>> {
  const model = judge && createModel(judge, "judge", host);
  const userModel = simulatedUser && createModel(simulatedUser, "user", host);
  if (embeddings && !providerOf(embeddings.provider).embeddings)
    throw unknown(`The provider "${embeddings.provider}" has no embeddings.`, "Name another one.");
  return (signal, spending) => {
    const booked = spending ? { spending } : {};
    let cost: number | null = 0;
    const count = (costUsd: number | null) => {
      cost = addCost(cost, costUsd);
    };
    const embed = async (texts: readonly string[]) => {
      if (!embeddings) return [];
      const price = embeddings.inputPrice ?? null;
      const { vectors, use } = await embedBatch(texts, embeddings, { host: { ...host, ...booked }, signal, price });
      count(use.costUsd);
      return vectors;
    };
    return {
      cost: () => cost,
      ...(model ? { judge: createJudge(model, { cache, signal, host: booked, onCost: count }) } : {}),
      ...(userModel ? { simulatedUser: createSimulatedUser(userModel, count, booked) } : {}),
      ...(embeddings
        ? { similarity: createSimilarity(embed, { cache, model: `${embeddings.provider} ${embeddings.model}` }) }
        : {}),
    };
  };
}

/** A model besides the agent's. `nodeId` stands for it in errors. Throws a RunError for a provider that there is not. */
export function createModel(chosen: NonNullable<Suite["judge"]>, nodeId: string, host: Host): ChatModel {
  const provider = providerOf(chosen.provider);
  const config = provider.config.parse({});
  const place = { host, credential: chosen.credential, nodeId };
  const model = provider.create({ ...config, model: chosen.model }, place);
  const price = priceOfChosen(chosen);
  return price ? { ...model, price } : model;
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
