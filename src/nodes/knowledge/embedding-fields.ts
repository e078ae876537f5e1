import { z } from "zod/mini";
import { field, type FieldHints } from "../../engine/config/field.ts";
import { providers } from "../../providers/index.ts";
import { embeddingPriceField } from "../models/price-fields.ts";

/** With which key vectors are made, and at which price. */
export const embeddingFields = (visibleWhen?: NonNullable<FieldHints["visibleWhen"]>) => ({
  credential: field(z._default(z.string().check(z.maxLength(200)), ""), {
    label: "Credential",
    help: "The key for the embedding model. Empty: the collection's own.",
    control: "credential",
    credentialTypes: providers.flatMap(({ embeddings, credentialTypes }) => (embeddings ? credentialTypes : [])),
    section: "Embeddings",
    ...(visibleWhen ? { visibleWhen } : {}),
  }),
  embeddingPrice: embeddingPriceField(visibleWhen),
});
