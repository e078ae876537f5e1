/** Which parts of an event are ids of nodes or edges. */
export const idKeys = ["nodeId", "modelNodeId", "toolNodeId", "memoryNodeId", "atNodeId", "edgeId"] as const;
