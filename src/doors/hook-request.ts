import { z } from "zod/mini";
import { jsonValue } from "../engine/config/json-value.ts";
import { isJsonObject, type Json } from "../engine/json.ts";

const texts = z.record(z.string(), z.string());

/** An HTTP request as a run's input: what a webhook trigger is given and gives. */
export const hookRequestSchema = z.looseObject({
  method: z.string().check(z.minLength(1), z.maxLength(20)),
  /** By lower-case name. Those that prove who sends, such as a token, are left out. */
  headers: texts,
  /** Parameters of the address; one that comes several times is a list. */
  query: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  /** Parsed JSON, the fields of a form, or text; null for none. */
  body: jsonValue(),
  /** The body as text, byte for byte, where the webhook's settings keep it. */
  rawBody: z.optional(z.string()),
});

/** An HTTP request as data. */
export type HookRequest = z.infer<typeof hookRequestSchema>;

/** Whether a run's input is an HTTP request. */
export function isHookRequest(input: Json): boolean {
  return isJsonObject(input) && typeof input.method === "string" && isJsonObject(input.headers) && "body" in input;
}
