import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import type { BrowserModelSettings } from "../../engine/model/browser-model.ts";

/** The only model that a browser has. */
export const modelId = "built-in";

const sampling = "Sampling";

export const browserConfig = z.object({
  streaming: field(z._default(z.boolean(), true), {
    label: "Streaming",
    help: "Shows the answer while it is written.",
  }),
  language: field(
    z._default(
      z
        .string()
        .check(z.trim(), z.regex(/^([A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*)?$/, "A language tag such as en, es or ja.")),
      "en",
    ),
    {
      label: "Language",
      help: "Language of the conversation as a tag such as en, es or ja. Empty leaves it to the browser.",
      placeholder: "en",
    },
  ),
  temperature: field(z._default(z.nullable(z.number().check(z.minimum(0), z.maximum(2))), null), {
    label: "Temperature",
    help: "0 is consistent, 2 is varied. Empty leaves it to the browser; most browsers let no page choose it.",
    section: sampling,
  }),
  topK: field(z._default(z.nullable(z.int().check(z.minimum(1), z.maximum(128))), null), {
    label: "Top K",
    help: "Considers only this many of the likeliest words. Empty leaves it to the browser; needs the temperature, too.",
    section: sampling,
  }),
});

export type BrowserSettings = z.infer<typeof browserConfig>;

/** What a session is opened with. */
export function sessionSettings(settings: BrowserSettings, hasSampling: boolean): BrowserModelSettings {
  const { language, temperature, topK } = settings;
  if (!hasSampling) return { language };
  return { language, ...(temperature === null ? {} : { temperature }), ...(topK === null ? {} : { topK }) };
}
