import { defaultReflectionPrompt } from "./settings.ts";

/** Stands in every request for a review. */
export const reviewInstruction =
  "Review your actions and their results so far. Write only the review: do not call tools yet.";

/** The question for a review. */
export function reviewQuestion(prompt: string): string {
  return `${reviewInstruction}\n\n${prompt.trim() || defaultReflectionPrompt}`;
}

/** Whether a review is due after this iteration (from 1) of a round. */
export function reviewIsDue(
  settings: { reflection: boolean; reflectionFrequency: number },
  iteration: number,
): boolean {
  return settings.reflection && iteration % settings.reflectionFrequency === 0;
}

/** Begins the message that carries a review. */
export const reviewHeading = "Your review of the progress so far:";

/** The review as the message that guides the next step. */
export function reviewMessage(review: string): string {
  return `${reviewHeading}\n${review}\n\nGo on with the next step.`;
}
