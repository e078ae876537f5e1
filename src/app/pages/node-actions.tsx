import { httpRequest } from "../../nodes/flow/http-request.ts";
import { httpRequestTool } from "../../nodes/tools/http-request-tool.ts";
import { browserProvider } from "../../providers/browser.ts";
import type { NodeRecord } from "../../engine/document/workflow-document.ts";
import { definitionOf } from "../../engine/document/can-connect.ts";
import { BrowserModelCard } from "../../features/browser-model/browser-model-card.tsx";
import { CurlImport } from "../../features/curl-import/curl-import.tsx";
import { ToolTry } from "../../features/tool-try/tool-try.tsx";
import { useEditor } from "../../state/editor/editor-context.tsx";

/** Node types whose settings are a request. */
const requestTypes = new Set([httpRequest.type, httpRequestTool.type]);

/** What can be done with a node besides editing its settings. */
export function NodeActions({ node }: { node: NodeRecord }) {
  const { registry } = useEditor();
  // The studio's tools work only in the assistant.
  const definition = definitionOf(registry, node.type);
  const isTool = definition?.role === "tool" && !definition.reach.some(({ to }) => to === "studio");
  const isRequest = requestTypes.has(node.type);
  if (node.type === browserProvider.nodeType) return <BrowserModelCard node={node} />;
  if (!isTool && !isRequest) return null;
  return (
    <div className="mb-4 flex flex-wrap gap-2">
      {isTool && <ToolTry key={`try ${node.id}`} node={node} />}
      {isRequest && <CurlImport key={`curl ${node.id}`} node={node} />}
    </div>
  );
}
