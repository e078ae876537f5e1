import type { AnswerTokens, ModelCapabilities } from "../../engine/model/chat-model.ts";
import type { AnthropicSettings } from "./anthropic-settings.ts";

/** How a Claude model thinks: by a token budget, as it sees fit, or as it sees fit whether asked or not. */
type ThinkingKind = "none" | "budget" | "adaptive" | "always";

/** What a Claude model can do, told by the version in its name; a name without a version counts as the newest. */
export interface ClaudeTraits extends ModelCapabilities {
  thinking: ThinkingKind;
  /** Takes temperature, top P and top K (up to 4.6). */
  sampling: boolean;
  /** The longest answer to ask for where nobody says, in tokens. */
  longestAnswer: number;
  /** Answers by a schema (from 4.5). */
  structured: boolean;
  /** Searches the web by itself (from 3.5). */
  webSearch: boolean;
}

/**
 * Traits from the vendor's model pages and migration guides (November 2026): budgets up to 4.5, adaptive thinking from
 * 4.6, on by default from 5; no sampling parameters from 4.7; structured outputs from 4.5 (Opus 4.1).
 */
export function claudeTraits(model: string): ClaudeTraits {
  const version = claudeVersion(model);
  const thinking = version < 3.7 ? "none" : version < 4.6 ? "budget" : version < 5 ? "adaptive" : "always";
  return {
    tools: true,
    vision: true,
    files: ["pdf"],
    streaming: true,
    json: true,
    reasoning: thinking !== "none",
    thinking,
    sampling: version < 4.7,
    longestAnswer: version < 3.5 ? 4_096 : version < 3.7 ? 8_192 : 32_000,
    structured: version >= 4.5 || (version >= 4.1 && model.includes("opus")),
    webSearch: version >= 3.5,
  };
}

/** Tokens for thinking, where the model has a budget for it; 0 for none. */
export function budgetOf({ thinkingBudget }: AnthropicSettings, { thinking }: ClaudeTraits): number {
  return thinking === "budget" && thinkingBudget > 0 ? Math.max(1024, thinkingBudget) : 0;
}

/** The longest answer to ask for, thinking included. A budget is part of the limit; what the user set is meant for the answer. */
export function maxAnswerTokens(settings: AnthropicSettings, traits: ClaudeTraits): number {
  const budget = budgetOf(settings, traits);
  return settings.maxTokens === null ? Math.max(traits.longestAnswer, budget + 4_096) : settings.maxTokens + budget;
}

/** The same for bookings. A limit that leaves nothing beside the budget is refused. */
export function answerTokensOf(settings: AnthropicSettings, traits: ClaudeTraits): AnswerTokens {
  const max = maxAnswerTokens(settings, traits);
  return { set: settings.maxTokens === null ? null : max, min: budgetOf(settings, traits) + 16, max };
}

/** The numbers stand after the family (`claude-sonnet-4-6`) or before it (`claude-3-7-sonnet-20250219`); a date is no version. */
function claudeVersion(model: string): number {
  const match = /claude-(?:[a-z]+-)?(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/.exec(model.toLowerCase());
  if (!match) return Number.POSITIVE_INFINITY;
  return Number(`${match[1]}.${match[2] ?? "0"}`);
}
