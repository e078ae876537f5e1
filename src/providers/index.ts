import type { ProviderDefinition } from "../engine/model/provider.ts";
import { anthropicProvider } from "./anthropic.ts";
import { browserProvider } from "./browser.ts";
import { demoProvider } from "./demo.ts";
import { geminiProvider } from "./gemini.ts";
import { openaiCompatibleProvider } from "./openai-compatible.ts";
import { openaiProvider } from "./openai.ts";

/** Every model provider; adding one is its file and its line here. */
export const providers: readonly ProviderDefinition[] = [
  demoProvider,
  openaiProvider,
  anthropicProvider,
  geminiProvider,
  openaiCompatibleProvider,
  browserProvider,
];
