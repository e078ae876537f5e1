/** Unsent text by workflow, kept while the panel shows another tab, or is still on its way. */
export const messageDrafts = new Map<string, string>();
