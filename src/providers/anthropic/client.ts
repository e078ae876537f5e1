import type Anthropic from "@anthropic-ai/sdk";
import type {
  Message,
  MessageCreateParamsNonStreaming,
  RawMessageStreamEvent,
} from "@anthropic-ai/sdk/resources/messages/messages";
import type { Stream } from "@anthropic-ai/sdk/core/streaming";
import type { ProviderContext } from "../../engine/model/provider.ts";
import { loadOnce } from "../../engine/load-once.ts";
import { StreamRefusal } from "../wire/translate-events.ts";
import { sharedClients } from "../wire/shared-client.ts";

/** Ten minutes, the SDK's own default; named, since the SDK refuses long answers in one piece without it. */
const timeoutMs = 600_000;

const loadSdk = loadOnce(() => import("@anthropic-ai/sdk"));
const shared = sharedClients<Anthropic>();

/**
 * A function that loads the SDK at its first call and hands out one client per host and credential. Every request goes through
 * `host.fetch`, which replaces origin and key; retries are the engine's.
 */
export function anthropicClient({ host, credential }: ProviderContext): () => Promise<Anthropic> {
  const connection = { provider: "anthropic", credential };
  const make = async () => {
    const { Anthropic: Client } = await loadSdk();
    return new Client({
      apiKey: "added-by-the-host",
      webhookKey: null,
      baseURL: "https://anthropic.invalid",
      fetch: (input, init) => host.fetch(connection, input, init),
      dangerouslyAllowBrowser: true,
      maxRetries: 0,
      timeout: timeoutMs,
      logLevel: "off",
    });
  };
  return () => shared(host, credential, make);
}

interface SendOptions {
  signal: AbortSignal;
  headers?: Record<string, string>;
}

const path = "/v1/messages";

/**
 * Sends a message and waits for the whole answer. The SDK's own `messages.create` writes to the console about models that are
 * soon retired; the endpoint itself does not. Rejects with a StreamRefusal where an error came as if all were well.
 */
export async function sendMessage(
  client: Anthropic,
  body: MessageCreateParamsNonStreaming,
  options: SendOptions,
): Promise<Message> {
  const { data, response } = await client.post<Message | WholeError>(path, { body, ...options }).withResponse();
  if (data.type === "error") throw new StreamRefusal(data.error, response.headers);
  return data;
}

/** An error body, which gateways also send with status 200. */
interface WholeError {
  type: "error";
  error: unknown;
}

/** The same, answered piece by piece. */
export function streamMessage(
  client: Anthropic,
  body: MessageCreateParamsNonStreaming,
  options: SendOptions,
): Promise<Stream<RawMessageStreamEvent>> {
  return client.post<Stream<RawMessageStreamEvent>>(path, {
    body: { ...body, stream: true },
    ...options,
    stream: true,
  });
}
