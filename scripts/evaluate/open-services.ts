import { appendFile, mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { type AnswerCache, createJudge } from "../../src/engine/evaluation/judge/judge.ts";
import { createSimilarity } from "../../src/engine/evaluation/judge/similarity.ts";
import type { TrialServices } from "../../src/engine/evaluation/run/run-evaluation.ts";
import type { Suite } from "../../src/engine/evaluation/suite/suite.ts";
import type { Host } from "../../src/engine/host.ts";
import type { Json } from "../../src/engine/json.ts";
import type { ChatModel } from "../../src/engine/model/chat-model.ts";
import { addCost } from "../../src/engine/model/usage.ts";
import { embedBatch } from "../../src/providers/embeddings/embed-batch.ts";
import { providers } from "../../src/providers/index.ts";
import { CommandFailure } from "../headless/command-failure.ts";

interface ServiceOptions {
  suite: Suite;
  host: Host;
  cache: AnswerCache;
}

/** Makes the judge and the embeddings of each trial. Throws CommandFailure for a provider that there is not. */
export async function createServices({ suite, host, cache }: ServiceOptions) {
  const { judge, embeddings } = suite;
  const model = judge && (await judgeModel(judge, host));
  if (embeddings && !providerOf(embeddings.provider).embeddings)
    throw new CommandFailure(`The provider "${embeddings.provider}" has no embeddings.`, "Name another one.", 2);
  return (signal: AbortSignal): TrialServices => {
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
      ...(embeddings
        ? { similarity: createSimilarity(embed, { cache, model: `${embeddings.provider} ${embeddings.model}` }) }
        : {}),
    };
  };
}

async function judgeModel(judge: NonNullable<Suite["judge"]>, host: Host): Promise<ChatModel> {
  const provider = providerOf(judge.provider);
  const config = provider.config.parse({});
  return provider.create({ ...config, model: judge.model }, { host, credential: judge.credential, nodeId: "judge" });
}

function providerOf(id: string) {
  const provider = providers.find((one) => one.id === id);
  if (provider) return provider;
  const known = providers.map((one) => one.id).join(", ");
  throw new CommandFailure(`There is no model provider "${id}".`, `Those known are ${known}.`, 2);
}

const entrySchema = z.object({ key: z.string(), value: z.json() });

/** Answers in a file, one a line, or in this process alone; new ones are written where `writes` says so. */
export async function openAnswerCache(path: string | undefined, writes: boolean): Promise<AnswerCache> {
  const answers = new Map<string, Json>();
  const text = path === undefined ? "" : await readFile(path, "utf8").catch(() => "");
  for (const line of text.split("\n")) {
    try {
      const { key, value } = entrySchema.parse(JSON.parse(line));
      answers.set(key, value);
    } catch {
      // An empty line, or one that is none of ours.
    }
  }
  return {
    get: (key) => answers.get(key),
    async set(key, value) {
      answers.set(key, value);
      if (path === undefined || !writes) return;
      await mkdir(dirname(path), { recursive: true });
      await appendFile(path, `${JSON.stringify({ key, value })}\n`);
    },
  };
}
