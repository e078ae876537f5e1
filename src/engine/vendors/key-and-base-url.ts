import { z } from "zod/mini";
import { field } from "../config/field.ts";
import { blankAsMissing, headerSecret, webAddress } from "../credentials/credential-values.ts";

/** The credential of a vendor with one API: a key, and an address of one's own where a gateway stands before it. */
export function keyAndBaseUrl(keysPage: string, usual: string) {
  return z.strictObject({
    apiKey: field(headerSecret(), { label: "API key", help: `Create one at ${keysPage}.`, required: true }),
    baseUrl: field(blankAsMissing(webAddress()), {
      label: "Base URL",
      help: "Only for a gateway or a region of its own. The key is sent there and nowhere else.",
      control: "text",
      placeholder: usual,
    }),
  });
}
