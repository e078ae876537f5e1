import type { Endpoint } from "../_shared/endpoint.ts";
import { jsonEndpoint } from "../_shared/json-endpoint.ts";
import { openBuiltInModel } from "./built-in-model.ts";
import { embed } from "./embed.ts";

/**
 * `POST /functions/v1/embed`: vectors by the model that Supabase's edge runtime has built in. It calls nobody.
 *
 * Requests: `{ action: "check" }` → `{ model }`, its name, or null where there is none or it does not work; `{ action: "embed",
 * texts }`, at most 4 of 20,000 characters → `{ vectors }`, 384 numbers for each text, of length 1. Errors: 400 `invalid_config`
 * (also where there is no model), 401, 429, 500.
 */
export const embedEndpoint: Endpoint = jsonEndpoint({
  rateLimit: { bucket: "embed", perMinute: 600, concurrent: 10, slotSeconds: 60 },
  maxBytes: 512 * 1024,
  perform: (body) => embed(body, openBuiltInModel),
});
