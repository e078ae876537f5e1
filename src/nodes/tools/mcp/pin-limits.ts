/** Characters of one pin: the approved text and its hash. A tool that says more of itself is pinned by its hash alone. */
export const longestPin = 10_000;

/** Characters of all pins of a node together: a workflow is saved and sent as a whole. */
export const mostPinned = 100_000;

/** Characters of the hosts that one interface may reach. */
export const maxHostsLength = 20_000;

/** How many resources and prompts a node gives as context. */
export const mostResources = 20;
export const mostPrompts = 10;

/** Characters of a resource's address. */
export const longestUri = 2_000;
