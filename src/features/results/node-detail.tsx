import type { NodeRunState } from "../../engine/run/run-state.ts";
import { dataExpression } from "../../state/document/data-expression.ts";
import { useDocumentStore, useEditor } from "../../state/editor/editor-context.tsx";
import { StepActions } from "../../state/run/step-actions.tsx";
import { formatTokens } from "../../ui/text/format-amount.ts";
import { formatDuration } from "../../ui/text/format-duration.ts";
import { JsonTree } from "../../ui/data/json-tree.tsx";
import { DetailSection, Facts } from "./detail-section.tsx";
import { ErrorNotice } from "./error-notice.tsx";
import { ValueFiles } from "./value-files.tsx";
import { HttpSection } from "./http-section.tsx";
import { GoToNode } from "./go-to-node.tsx";

/** What a node of the main flow got and gave. */
export function NodeDetail({ nodeId, node }: { nodeId: string; node: NodeRunState }) {
  const title = useDocumentStore((state) => state.document.nodes[nodeId]?.title);
  const { document } = useEditor();
  const { usage, input, output } = node;
  return (
    <>
      {node.error && (
        <div className="px-4 pt-3">
          <ErrorNotice error={{ nodeId, ...node.error }} />
        </div>
      )}
      <DetailSection title={title ?? nodeId} aside={<GoToNode nodeId={nodeId} />}>
        <Facts
          facts={[
            ["Status", node.status],
            ["Time", nodeTime(node)],
            ["Session", node.session],
            ["Tokens", usage && formatTokens(usage.inputTokens + usage.outputTokens)],
          ]}
        />
        <StepActions step={{ kind: "node", nodeId, status: node.status }} />
      </DetailSection>
      {input !== undefined && (
        <DetailSection title="Input" copy={() => JSON.stringify(input, null, 2)}>
          <JsonTree label="Input" value={input} openDepth={3} />
        </DetailSection>
      )}
      {output !== undefined && (
        <DetailSection title="Output" copy={() => JSON.stringify(output, null, 2)}>
          <JsonTree
            label="Output"
            value={output}
            openDepth={3}
            expression={dataExpression(document.getState().document, nodeId, "output", output)}
          />
          <ValueFiles value={output} />
        </DetailSection>
      )}
      <HttpSection nodeId={nodeId} />
    </>
  );
}

/** How long a node took, in words; undefined while it goes on. */
export function nodeTime({ startedAt, endedAt }: NodeRunState): string | undefined {
  return startedAt === undefined || endedAt === undefined ? undefined : formatDuration(endedAt - startedAt);
}
