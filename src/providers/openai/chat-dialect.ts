import type { CompatibleServerId } from "../../engine/vendors/compatible-servers.ts";

/** Which server is spoken to: OpenAI itself, or another one that speaks its Chat Completions. */
export type ChatServer = "openai" | CompatibleServerId;

/** Where a server's Chat Completions differ from OpenAI's. */
export interface ChatDialect {
  /** OpenAI's own: it knows the newest names, and takes a conversation as it comes. */
  own: boolean;
  /** Takes `stream_options`; the others tell the usage of a stream unasked, or refuse what they do not know (Mistral). */
  streamOptions: boolean;
  seed: "seed" | "random_seed";
  /** A user may not speak right after a tool (Mistral: "Unexpected role 'user' after role 'tool'"). */
  answerAfterTools: boolean;
  /** Call ids are nine letters and digits (Mistral). */
  shortCallIds: boolean;
  /** Thinking stands among the parts of the content, there and back (Mistral). */
  thinkingParts: boolean;
  /** Takes its thinking back in the members that it came in; the others refuse a member that they do not know. */
  takesReasoning: boolean;
  /**
   * Every answer in the history must bring its thinking in `reasoning_content` (DeepSeek: "The reasoning_content in the thinking mode
   * must be passed back to the API", Kimi). Elsewhere those that came with it.
   */
  wantsReasoning: boolean;
  /** Has to be told that a picture is wanted (openrouter.ai/docs, "Image generation"). */
  makesPictures: boolean;
}

const strict: ReadonlySet<ChatServer> = new Set(["openai", "azure", "groq", "mistral"]);

/** What is known of a server; where everybody has their own, its model's name tells the most. */
export function chatDialect(server: ChatServer, model: string): ChatDialect {
  const name = model.toLowerCase().split("/").at(-1) ?? "";
  const mistral = server === "mistral";
  return {
    own: server === "openai",
    streamOptions: !mistral,
    seed: mistral ? "random_seed" : "seed",
    answerAfterTools:
      mistral ||
      (server !== "openai" && /^(open-)?(mistral|mixtral|ministral|magistral|devstral|codestral|pixtral)/.test(name)),
    shortCallIds: mistral,
    thinkingParts: mistral,
    takesReasoning: !strict.has(server),
    makesPictures: server === "openrouter" && /-image(-|:|$)/.test(name),
    wantsReasoning: server === "deepseek" || (server === "custom" && /^(deepseek|kimi)/.test(name)),
  };
}
