import type { ModelCapabilities } from "../../engine/model/chat-model.ts";

/** What a Gemini model can do, told by the version in its name; a name without one (`gemini-flash-latest`) counts as the newest. */
export interface GeminiTraits extends ModelCapabilities {
  /** `budget` in tokens (2.5), or `level` (from 3). */
  thinking: "none" | "budget" | "level";
  /** JSON mode together with tools (from 3). */
  jsonWithTools: boolean;
  /** Google's own tools beside functions (from 3). */
  mixedTools: boolean;
  /** Function calls of the current turn must carry a thought signature (from 3). */
  signed: boolean;
  /** The Interactions API has it (Gemini from 2.5; not Gemma). */
  interactions: boolean;
}

/** Traits from the vendor's model, thinking and function-calling pages. Gemma models know neither tools nor thinking. */
export function geminiTraits(model: string): GeminiTraits {
  const name = model.toLowerCase();
  const match = /gemini-(\d+(?:\.\d+)?)/.exec(name);
  const version = match ? Number(match[1]) : Number.POSITIVE_INFINITY;
  const gemma = name.includes("gemma");
  const thinking = gemma || version < 2.5 ? "none" : version < 3 ? "budget" : "level";
  return {
    tools: !gemma,
    vision: true,
    files: gemma ? [] : ["pdf", "audio"],
    streaming: true,
    json: !gemma,
    reasoning: thinking !== "none",
    thinking,
    jsonWithTools: version >= 3,
    mixedTools: version >= 3 && !gemma,
    signed: version >= 3 && !gemma,
    interactions: /^(models\/)?gemini-/.test(name) && version >= 2.5,
  };
}
