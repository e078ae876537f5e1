import { lazy, Suspense } from "react";
import type { NodeRecord } from "../../engine/document/workflow-document.ts";

const BrowserModelStatus = lazy(() => import("./browser-model-status.tsx"));

/** Whether this browser has the model of a browser model node; loads when such a node is looked at. */
export function BrowserModelCard({ node }: { node: NodeRecord }) {
  return (
    <Suspense fallback={null}>
      <BrowserModelStatus node={node} />
    </Suspense>
  );
}
