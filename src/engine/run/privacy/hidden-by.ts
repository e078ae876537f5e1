import type { PrivacySettings } from "../../document/workflow-document.ts";

/** Whether the settings mask something in a text. The code that finds what is to be masked is loaded only where it is needed. */
export async function hiddenBy(privacy: PrivacySettings | undefined): Promise<(text: string) => boolean> {
  if (privacy === undefined || privacy.mask.length + privacy.patterns.length === 0) return () => false;
  const { createMask } = await import("./mask-text.ts");
  const mask = createMask(privacy);
  return (text) => mask(text) !== text;
}
