/** The data type under which a node type travels from the palette to the canvas. */
export const nodeDragType = "application/x-switchyard-node";
