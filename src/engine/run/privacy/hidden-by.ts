import type { PrivacySettings } from "../../document/workflow-document.ts";
import { createMask } from "./mask-text.ts";

/** Whether the settings mask something in a text. */
export function hiddenBy(privacy: PrivacySettings | undefined): (text: string) => boolean {
  if (privacy === undefined) return () => false;
  const mask = createMask(privacy);
  return (text) => mask(text) !== text;
}
