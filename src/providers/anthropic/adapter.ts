import { transformJSONSchema } from "@anthropic-ai/sdk/lib/transform-json-schema";
import type { ModelRequest } from "../../engine/model/chat-model.ts";
import type { ProviderContext } from "../../engine/model/provider.ts";
import { mapSdkError } from "../wire/sdk-error.ts";
import type { PreparedCall, VendorAdapter } from "../wire/vendor-chat-model.ts";
import { anthropicClient } from "./client.ts";
import { fromAnthropicMessage, fromAnthropicStream } from "./from-stream.ts";
import type { ClaudeTraits } from "./model-traits.ts";
import type { AnthropicSettings } from "./settings.ts";
import { toAnthropicRequest } from "./to-request.ts";

/** All that a call depends on besides the request. */
interface AnthropicModelOptions {
  config: AnthropicSettings & { streaming: boolean };
  traits: ClaudeTraits;
  vendor: string;
  context: ProviderContext;
}

/** Makes each call ready for the Messages API. */
export function anthropicAdapter(options: AnthropicModelOptions): VendorAdapter {
  const client = anthropicClient(options.context);
  return { prepare: (request) => prepareCall(options, client, request), mapError: mapSdkError };
}

function prepareCall(
  { config, traits, vendor }: AnthropicModelOptions,
  client: ReturnType<typeof anthropicClient>,
  request: ModelRequest,
): PreparedCall {
  const { body, version, warnings } = toAnthropicRequest(request, config, traits, transformJSONSchema);
  const options = {
    signal: request.signal,
    ...(version ? { headers: { "anthropic-version": version } } : {}),
  };
  return {
    warnings,
    async start() {
      const { messages } = await client();
      if (!config.streaming) return fromAnthropicMessage(await messages.create(body, options), config.model);
      const events = await messages.create({ ...body, stream: true }, options);
      return fromAnthropicStream(events, vendor, config.model);
    },
  };
}
