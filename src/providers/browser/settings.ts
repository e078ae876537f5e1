import type { JsonObject } from "../../engine/json.ts";
import type { BrowserModelSettings } from "../../engine/model/browser-model.ts";

/** Settings of a browser model node; null leaves a number to the browser. */
export interface BrowserSettings {
  streaming: boolean;
  language: string;
  temperature: number | null;
  topK: number | null;
}

/** As the log shows them: what is left to the browser is left out. */
export function loggedSettings({ streaming, language, temperature, topK }: BrowserSettings): JsonObject {
  return {
    streaming,
    ...(language === "" ? {} : { language }),
    ...(temperature === null ? {} : { temperature }),
    ...(topK === null ? {} : { topK }),
  };
}

/** What a session is opened with. */
export function sessionSettings(settings: BrowserSettings, hasSampling: boolean): BrowserModelSettings {
  const { language, temperature, topK } = settings;
  if (!hasSampling) return { language };
  return { language, ...(temperature === null ? {} : { temperature }), ...(topK === null ? {} : { topK }) };
}
