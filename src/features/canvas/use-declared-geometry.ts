import { useStoreApi } from "@xyflow/react";
import { useState } from "react";

/**
 * Keeps React Flow to the sizes and ports that the projection declares. It would measure every card that comes into view
 * again, and a card that is drawn without its ports, since it is far away, would lose its wires for good. Before the first
 * card is drawn.
 */
export function useDeclaredGeometry(): void {
  const store = useStoreApi();
  useState(() => {
    const { updateNodeInternals } = store.getState();
    store.setState({
      updateNodeInternals: (updates, ...options) => {
        updateNodeInternals(new Map([...updates].map(([id, update]) => [id, { ...update, force: false }])), ...options);
        // The first fitting of the view waits for a measurement that changes something, and these change nothing.
        const { fitViewQueued, nodes, setNodes } = store.getState();
        if (fitViewQueued) setNodes(nodes);
      },
    });
    return true;
  });
}
