import { z } from "zod/mini";
import { canonicalJson } from "../../engine/canonical-json.ts";
import type { AnswerCache } from "./judge.ts";

/** Vectors of texts, in order. Rejects with a RunError. */
export type Embed = (texts: readonly string[]) => Promise<number[][]>;

/** How close texts are to a text, by embeddings; the same texts are embedded once. `model` names who makes the vectors. */
export function createSimilarity(
  embed: Embed,
  { cache, model }: { cache: AnswerCache; model: string },
): (text: string, others: readonly string[]) => Promise<number[]> {
  return async (text, others) => {
    const key = `similarity ${canonicalJson([model, text, others])}`;
    const known = z
      .array(z.number())
      .check(z.length(others.length))
      .safeParse(await cache.get(key));
    if (known.success) return known.data;
    const [own = [], ...vectors] = await embed([text, ...others]);
    const found = vectors.map((vector) => cosine(own, vector));
    await cache.set(key, found);
    return found;
  };
}

function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]) => x.reduce((sum, each, at) => sum + each * (y[at] ?? 0), 0);
  const length = Math.sqrt(dot(a, a) * dot(b, b));
  return length === 0 ? 0 : dot(a, b) / length;
}
