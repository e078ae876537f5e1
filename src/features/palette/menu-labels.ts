/** What each command menu searches. */
export const menuLabels = {
  editor: "Search actions, nodes and workflows",
  pages: "Search pages and workflows",
} as const;
