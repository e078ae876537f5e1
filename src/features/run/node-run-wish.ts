import { createStore } from "zustand/vanilla";

/** That a person wants to run a node: alone (`only`), or with everything after it. */
export interface NodeRunWish {
  nodeId: string;
  only: boolean;
}

/** The open question with which input a node is to run; null while there is none. */
export const nodeRunWishes = createStore<{ wish: NodeRunWish | null }>()(() => ({ wish: null }));
