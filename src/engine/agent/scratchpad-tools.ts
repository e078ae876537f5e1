/** The names of the tools by which a model uses its scratchpad. */
export const scratchpadTools = { remember: "remember", recall: "recall", forget: "forget" } as const;
