import { loadOnce } from "../engine/load-once.ts";
import type { ChatModel } from "../engine/model/chat-model.ts";
import type { ProviderContext } from "../engine/model/provider.ts";
import { RunError } from "../engine/errors.ts";
import type { DemoSettings } from "./demo/answer.ts";

const loadAnswers = loadOnce(() => import("./demo/answer.ts"));

/** The demo model. */
export async function create(
  settings: DemoSettings & { model: string },
  { host, nodeId }: ProviderContext,
): Promise<ChatModel> {
  if (settings.model !== "demo")
    throw new RunError({
      code: "invalid_config",
      message: `The demo model has no model named "${settings.model}".`,
      hint: 'Choose "demo", or use another model node.',
      nodeId,
    });
  const { answer } = await loadAnswers();
  return {
    provider: "demo",
    modelId: "demo",
    capabilities: { tools: true, vision: false, streaming: true, json: true, reasoning: false },
    settings: { streaming: settings.streaming },
    price: { input: 0, output: 0 },
    stream: (request) => answer(request, settings, host),
  };
}
