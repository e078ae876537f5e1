/** Server-sent events with data only, as OpenAI's Chat Completions and Gemini stream them. */
export function dataEvents(...chunks: (object | string)[]): string {
  return chunks.map((chunk) => `data: ${typeof chunk === "string" ? chunk : JSON.stringify(chunk)}\n\n`).join("");
}

/** Server-sent events named after their `type`, as the Responses API and Anthropic stream them. */
export function namedEvents(...events: { type: string; [field: string]: unknown }[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}

/** Server-sent events named after their `event_type`, with the last one that the Interactions API sends. */
export function interactionEvents(...events: { event_type: string; [field: string]: unknown }[]): string {
  const named = events.map((event) => `event: ${event.event_type}\ndata: ${JSON.stringify(event)}\n\n`);
  return `${named.join("")}event: done\ndata: [DONE]\n\n`;
}
