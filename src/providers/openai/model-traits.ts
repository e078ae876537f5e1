import type { ModelCapabilities } from "../../engine/model/chat-model.ts";

/** What an OpenAI model can do, told by its name; a name that nobody knows counts as able. */
export interface ModelTraits extends ModelCapabilities {
  /** Takes no temperature, top P, penalties or stop, and counts its thinking into the answer's limit. */
  fixedSampling: boolean;
  /** Offered by the Responses API only. */
  responsesOnly: boolean;
  /** Offered by Chat Completions only. */
  chatOnly: boolean;
  /** Takes a verbosity (from GPT-5). */
  verbosity: boolean;
}

/** Traits by name, from the vendor's model pages. Fine-tuned names (`ft:gpt-4o-mini:…`) count as their base. */
export function modelTraits(model: string): ModelTraits {
  const name = baseName(model);
  const reasoning = /^(o\d|gpt-([5-9]|\d{2,})(?!.*-chat)|codex-mini|computer-use)/.test(name);
  const textOnly = /^(gpt-3\.5|gpt-4($|-0314|-0613|-32k|-1106|-0125|-turbo-preview)|o1-(mini|preview)|o3-mini)/.test(
    name,
  );
  const toolless = /^(o1-(mini|preview)|chatgpt-4o|gpt-4o(-mini)?-search)/.test(name);
  return {
    tools: !toolless,
    vision: !textOnly,
    files: textOnly || toolless ? [] : /audio/.test(name) ? ["audio"] : ["pdf"],
    streaming: true,
    json: !/^gpt-4($|-0314|-0613|-32k)/.test(name),
    reasoning,
    fixedSampling: reasoning,
    chatOnly: /search-preview|audio|^o1-(mini|preview)/.test(name),
    verbosity: /^gpt-([5-9]|\d{2,})/.test(name),
    responsesOnly: /-pro($|-)|codex|deep-research|computer-use/.test(name) && reasoning,
  };
}

function baseName(model: string): string {
  const name = model.toLowerCase();
  return name.startsWith("ft:") ? (name.split(":")[1] ?? name) : (name.split("/").at(-1) ?? name);
}
