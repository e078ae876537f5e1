/** How pgvector reads a vector. Its numbers have single precision, so more digits would only make the request longer. */
export function vectorText(embedding: readonly number[]): string {
  return `[${embedding.map((value) => Number(value.toPrecision(8))).join(",")}]`;
}
