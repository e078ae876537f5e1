import type { ShownWorkspaceFile } from "../../engine/run/run-state.ts";
import { visibleName } from "../../engine/text/visible-name.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { downloadFile } from "../../ui/data/download-json.ts";
import { JsonView } from "../../ui/data/json-view/json-view.tsx";
import { LongText } from "../../ui/data/long-text.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Spinner } from "../../ui/feedback/spinner.tsx";
import { formatBytes } from "../../ui/text/format-bytes.ts";
import { formatMoment } from "../../ui/text/format-moment.ts";
import { DetailSection, Facts } from "./detail-section.tsx";
import { GoToNode } from "./go-to-node.tsx";
import { useWorkspaceFile } from "./use-workspace-file.ts";

/** A file of a workspace: what is known of it, and what is in it. */
export function WorkspaceFileDetail({ entry }: { entry: ShownWorkspaceFile }) {
  const { path, file, version, changedAt, nodeId } = entry;
  const content = useWorkspaceFile(entry);
  const name = path.slice(path.lastIndexOf("/") + 1);
  return (
    <>
      <DetailSection title={visibleName(path)} aside={<GoToNode nodeId={nodeId} />}>
        <Facts
          facts={[
            ["Size", formatBytes(file.size)],
            ["Version", String(version)],
            ["Changed", formatMoment(changedAt)],
          ]}
        />
        <div className="mt-2">
          <Button
            size="sm"
            icon="download"
            disabled={content.blob === undefined}
            onClick={() => content.blob && downloadFile(name, file.mediaType, content.blob)}
          >
            Download
          </Button>
        </div>
      </DetailSection>
      <DetailSection title="Content" {...(content.text === undefined ? {} : { copy: () => content.text ?? "" })}>
        {content.problem !== undefined ? (
          <Notice tone="danger" title={content.problem.message}>
            {content.problem.hint}
          </Notice>
        ) : content.text === undefined ? (
          content.blob ? (
            <p className="text-sm text-muted">This file is too large to show here. Download it instead.</p>
          ) : (
            <Spinner label={`Loading ${visibleName(name)}`} />
          )
        ) : content.rows !== undefined || file.mediaType === "application/json" ? (
          <JsonView label="Content" value={content.rows ?? content.text} openDepth={3} />
        ) : (
          <LongText text={content.text} />
        )}
      </DetailSection>
    </>
  );
}
