import { z } from "zod/mini";
import { field } from "../config/field.ts";
import type { JsonObject } from "../json.ts";
import { singleLine } from "./credential-values.ts";

/**
 * What a credential's owner decides about its use and may look at again: no secret, kept in the open beside the name.
 * Types that are not listed have none.
 */
const credentialSettings = {
  postgres: z.strictObject({
    schemaHints: field(z._default(z.boolean(), false), {
      label: "Schema hints",
      help: "Tells the model beforehand which tables and columns there are. Off: it knows what you write in the tool, and hears of those that the role may read when it names one that does not exist.",
    }),
    tables: field(z._default(z.array(singleLine(300).check(z.trim(), z.minLength(1))).check(z.maxLength(200)), []), {
      label: "Allowed tables",
      help: "Tools reach only these, such as orders or sales.customers. Empty: every table that the role may use.",
      control: "string-list",
      placeholder: "orders",
    }),
  }),
} as const satisfies Record<string, z.ZodMiniObject>;

/** The schema of a type's settings, from which a form is made; undefined where the type has none. */
export function settingsSchema(type: string): z.ZodMiniObject | undefined {
  return type === "postgres" ? credentialSettings.postgres : undefined;
}

/** Checks settings and fills the defaults in. A type without settings takes none but an empty object. */
export function parseSettings(type: string, value: unknown): z.core.util.SafeParseResult<JsonObject> {
  const schema = settingsSchema(type) ?? z.strictObject({});
  return z
    .pipe(
      schema,
      z.transform((settings) => z.record(z.string(), z.json()).parse(settings)),
    )
    .safeParse(value);
}
