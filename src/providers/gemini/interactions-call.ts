import type { Interactions } from "@google/genai/web";
import type { ModelEvent } from "../../engine/model/chat-model.ts";
import type { ProviderContext } from "../../engine/model/provider.ts";
import type { InteractionBody } from "./interactions-request.ts";
import { fromInteraction, fromInteractionStream } from "./interactions-stream.ts";
import { GeminiRefusal } from "./map-error.ts";

/**
 * Sends one interaction and gives its events; rejects with a GeminiRefusal. The SDK gives the types and is not loaded: its
 * `create` repeats and resumes requests on its own, and its stream passes over an error that the API writes as a bare line.
 */
export async function sendInteraction(
  body: InteractionBody,
  streaming: boolean,
  { vendor, context, signal }: { vendor: string; context: ProviderContext; signal: AbortSignal },
): Promise<AsyncIterable<ModelEvent> | Iterable<ModelEvent>> {
  const { host, credential } = context;
  const response = await host.fetch({ provider: "gemini", credential }, "https://gemini.invalid/v1beta/interactions", {
    method: "POST",
    headers: { "content-type": "application/json", accept: streaming ? "text/event-stream" : "application/json" },
    body: JSON.stringify(streaming ? { ...body, stream: true } : body),
    signal,
  });
  if (!response.ok) throw new GeminiRefusal(response.status, response.headers, await response.text());
  // A gateway that does not stream answers in one piece.
  if (!streaming || response.headers.get("content-type")?.includes("application/json")) {
    const whole: Interactions.Interaction = JSON.parse(await response.text());
    return fromInteraction(whole, vendor, host.newId);
  }
  return fromInteractionStream(response, vendor, host.newId);
}
