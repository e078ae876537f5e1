import { type BlockGraph, layoutBlocks } from "./layout-blocks.ts";

/** Lays out one graph and answers with its corners; the page ends the worker afterwards. */
addEventListener("message", (event: MessageEvent<BlockGraph>) => {
  postMessage(layoutBlocks(event.data));
});
