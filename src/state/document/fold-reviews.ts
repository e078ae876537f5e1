import type { Problem } from "../../engine/document/problem.ts";

/** The problems with those of several nodes that wait for a review in one, since a person settles them in one place. */
export function foldReviews(problems: readonly Problem[]): readonly Problem[] {
  const reviews = problems.filter(({ review }) => review !== undefined);
  const [first] = reviews;
  if (first === undefined || reviews.length === 1) return problems;
  const one: Problem = {
    severity: "error",
    code: first.code,
    message: `${reviews.length} imported nodes wait for your review.`,
    hint: "Choose Review above the canvas, and mark them as reviewed.",
    review: true,
  };
  return [one, ...problems.filter(({ review }) => review === undefined)];
}
