import type { BrowserModelSettings } from "../../engine/model/browser-model.ts";

/** The only model that a browser has. */
export const modelId = "built-in";

/** Settings of a browser model node; null leaves a number to the browser. */
export interface BrowserSettings {
  streaming: boolean;
  language: string;
  temperature: number | null;
  topK: number | null;
}

/** What a session is opened with. */
export function sessionSettings(settings: BrowserSettings, hasSampling: boolean): BrowserModelSettings {
  const { language, temperature, topK } = settings;
  if (!hasSampling) return { language };
  return { language, ...(temperature === null ? {} : { temperature }), ...(topK === null ? {} : { topK }) };
}
