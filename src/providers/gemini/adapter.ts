import type { ModelRequest } from "../../engine/model/chat-model.ts";
import type { ProviderContext } from "../../engine/model/provider.ts";
import type { PreparedCall, VendorAdapter } from "../wire/vendor-chat-model.ts";
import { geminiClient, loadGeminiSdk } from "./client.ts";
import { fromGeminiStream } from "./from-stream.ts";
import { mapGeminiError } from "./map-error.ts";
import type { GeminiTraits } from "./model-traits.ts";
import type { GeminiSettings } from "./settings.ts";
import { toGeminiRequest } from "./to-request.ts";

/** All that a call depends on besides the request. */
interface GeminiModelOptions {
  config: GeminiSettings & { streaming: boolean };
  traits: GeminiTraits;
  vendor: string;
  context: ProviderContext;
}

/** Makes each call ready for the Gemini API. */
export function geminiAdapter(options: GeminiModelOptions): VendorAdapter {
  const client = geminiClient(options.context);
  return { prepare: (request) => prepareCall(options, client, request), mapError: mapGeminiError };
}

async function prepareCall(
  { config, traits, vendor, context }: GeminiModelOptions,
  client: ReturnType<typeof geminiClient>,
  request: ModelRequest,
): Promise<PreparedCall> {
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
}
