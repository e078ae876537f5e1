/** The data type under which a node type travels from the palette to the canvas. */
export const nodeDragType = "application/x-switchyard-node";

/** The data type under which the name of a connector's operation travels beside it, `service/operation`. */
export const operationDragType = "application/x-switchyard-operation";

/** While something is dragged, a page may read the names of its data types but no data, so one of them names the node type. */
const namePrefix = `${nodeDragType}.`;

export function namedDragType(type: string): string {
  return `${namePrefix}${type}`;
}

/** The node type that is dragged, by the names of the data types, or undefined when it is something else. */
export function draggedType(types: readonly string[]): string | undefined {
  return types.find((name) => name.startsWith(namePrefix))?.slice(namePrefix.length);
}
