import type { NodeRecord } from "../../engine/document/workflow-document.ts";
import { lazyPart } from "../../ui/feedback/lazy-part.tsx";

const BrowserModelStatus = lazyPart(async () => (await import("./browser-model-status.tsx")).default);

/** Whether this browser has the model of a browser model node; loads when such a node is looked at. */
export function BrowserModelCard({ node }: { node: NodeRecord }) {
  return <BrowserModelStatus node={node} />;
}
