import type { NodeRecord } from "../../engine/document/workflow-document.ts";
import { definitionOf } from "../../engine/document/can-connect.ts";
import { BrowserModelCard } from "../../features/browser-model/browser-model-card.tsx";
import { CurlImport } from "../../features/curl-import/curl-import.tsx";
import { ToolTry } from "../../features/tool-try/tool-try.tsx";
import { useEditor } from "../../stores/editor-context.tsx";

/** Node types whose settings are a request. */
const requestTypes = new Set(["http-request", "http-request-tool"]);

/** What can be done with a node besides editing its settings. */
export function NodeActions({ node }: { node: NodeRecord }) {
  const { registry } = useEditor();
  // The studio's tools work only in the assistant.
  const isTool = definitionOf(registry, node.type)?.role === "tool" && node.type !== "studio-tools";
  const isRequest = requestTypes.has(node.type);
  if (node.type === "browser-model") return <BrowserModelCard node={node} />;
  if (!isTool && !isRequest) return null;
  return (
    <div className="mb-4 flex flex-wrap gap-2">
      {isTool && <ToolTry key={`try ${node.id}`} node={node} />}
      {isRequest && <CurlImport key={`curl ${node.id}`} node={node} />}
    </div>
  );
}
