import { z } from "zod/mini";
import { maxBuiltInTexts } from "../../../src/engine/model/free-embeddings.ts";
import { failure, success, type Outcome } from "../_shared/failure.ts";
import { describeIssues } from "../_shared/describe-issues.ts";
import { builtInModel, dimension, type EmbeddingSession } from "./built-in-model.ts";

/** Of one text; the model reads the first 512 tokens. */
const mostCharacters = 20_000;

const requestSchema = z.discriminatedUnion("action", [
  z.strictObject({ action: z.literal("check") }),
  z.strictObject({
    action: z.literal("embed"),
    texts: z
      .array(z.string().check(z.minLength(1), z.maxLength(mostCharacters)))
      .check(z.minLength(1), z.maxLength(maxBuiltInTexts)),
  }),
]);

const vectorSchema = z.array(z.number()).check(z.length(dimension));

/** What `embedEndpoint` does, with the model of this runtime. */
export async function embed(
  body: unknown,
  openModel: () => EmbeddingSession | null,
): Promise<Outcome<{ model: string | null } | { vectors: number[][] }>> {
  const request = requestSchema.safeParse(body);
  if (!request.success) return describeIssues(request.error, "The request");
  const session = openModel();
  if (request.data.action === "check") {
    const works = session !== null && (await vectorOf("words", session)) !== null;
    return success({ model: works ? builtInModel : null });
  }
  if (session === null) {
    return failure(
      "invalid_config",
      "This studio has no embedding model of its own.",
      "Choose another provider of embeddings in the collection's settings.",
    );
  }
  const vectors: number[][] = [];
  // One after the other: they share one processor.
  for (const text of request.data.texts) {
    const vector = await vectorOf(text, session);
    if (vector === null) {
      return failure(
        "internal",
        "The built-in embedding model gave no vector.",
        "Try again, or choose another provider.",
      );
    }
    vectors.push(vector);
  }
  return success({ vectors });
}

/** Null where the model failed. */
async function vectorOf(text: string, session: EmbeddingSession): Promise<number[] | null> {
  try {
    const vector = vectorSchema.safeParse(await session.run(text, { mean_pool: true, normalize: true }));
    return vector.success ? vector.data : null;
  } catch {
    return null;
  }
}
