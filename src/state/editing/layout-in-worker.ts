import type { Point } from "../editor/canvas-store.ts";
import type { BlockGraph } from "./layout-blocks.ts";

type Corners = Record<string, Point>;

function inWorker(graph: BlockGraph): Promise<Corners> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./layout-worker.ts", import.meta.url), { type: "module" });
    const finish = (settle: () => void) => {
      worker.terminate();
      settle();
    };
    worker.addEventListener("message", (event: MessageEvent<Corners>) => finish(() => resolve(event.data)));
    worker.addEventListener("error", (event) => finish(() => reject(new Error(event.message))));
    worker.postMessage(graph, []);
  });
}

/**
 * `layoutBlocks` beside the page, so that the page answers meanwhile. Where no worker can be started, or it fails, the
 * page does the work itself.
 */
export async function layoutInWorker(graph: BlockGraph): Promise<Corners> {
  try {
    return await inWorker(graph);
  } catch {
    const { layoutBlocks } = await import("./layout-blocks.ts");
    return layoutBlocks(graph);
  }
}
