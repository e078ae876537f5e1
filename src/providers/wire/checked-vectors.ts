import { RunError } from "../../engine/errors.ts";
import { atStart } from "./sentence-start.ts";

/** A vendor's vectors, once there is one per text, all have the same length and all numbers are finite. Throws a RunError otherwise. */
export function checkedVectors(vendor: string, vectors: readonly (number[] | undefined)[], count: number): number[][] {
  const length = vectors[0]?.length ?? 0;
  const isWhole = (vector: number[] | undefined): vector is number[] =>
    vector?.length === length && length > 0 && vector.every((value) => Number.isFinite(value));
  const whole = vectors.filter(isWhole);
  if (whole.length === count && vectors.length === count) return whole;
  throw new RunError({
    code: "model_error",
    message: `${atStart(vendor)} did not give one vector for each text.`,
    hint: "Check that the model is an embedding model.",
  });
}
