import type { JsonObject } from "../../engine/json.ts";
import type { Message } from "../../engine/model/message.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { openaiProvider } from "../openai.ts";
import { replayHost, type Cut, type Recording } from "./replay.ts";

/** An OpenAI model over a recorded answer, and what it sends. */
export function openaiOver(recording: Recording, settings: JsonObject = {}, cut: Cut = "single-bytes") {
  const { host, sent } = replayHost(recording, cut);
  const { model: name = "gpt-4o-mini", ...config } = settings;
  const model = openaiProvider.create(
    { ...openaiProvider.config.parse(config), model: String(name) },
    { host, credential: "credential-1", nodeId: "model" },
  );
  return { model, sent };
}

/** An OpenAI model over answers that come one after the other. */
export function answering(recordings: readonly Recording[], settings: JsonObject) {
  const { model: name = "gpt-4o-mini", ...config } = settings;
  const left = [...recordings];
  const sent: ReturnType<typeof replayHost>["sent"] = [];
  const host = testHost({
    async fetch(connection, input, init) {
      const next = left.shift();
      if (!next) throw new Error("There was one request too many.");
      const once = replayHost(next);
      const response = await once.host.fetch(connection, input, init);
      sent.push(...once.sent);
      return response;
    },
  });
  const model = openaiProvider.create(
    { ...openaiProvider.config.parse(config), model: String(name) },
    { host, credential: "credential-1", nodeId: "model" },
  );
  return { model, sent };
}

/** The same over Chat Completions. */
export function chatOver(recording: Recording, settings: JsonObject = {}, cut: Cut = "single-bytes") {
  return openaiOver(recording, { api: "chat", ...settings }, cut);
}

/** A conversation with everything in it: instructions, an image, thoughts, a tool call and its result. */
export const exchange: Message[] = [
  { role: "system", text: "Be brief." },
  {
    role: "user",
    parts: [
      { type: "text", text: "Look" },
      { type: "image", url: "data:image/png;base64,AAAA" },
    ],
  },
  {
    role: "assistant",
    parts: [
      {
        type: "reasoning",
        text: "Hm.",
        vendor: { id: "rs_1", summary: [{ type: "summary_text", text: "Hm." }], encrypted_content: "secretless" },
      },
      { type: "tool-call", callId: "call_a", toolName: "calculator", arguments: '{"expression":"1+1"}' },
    ],
  },
  { role: "tool", callId: "call_a", toolName: "calculator", ok: true, text: "2" },
];
