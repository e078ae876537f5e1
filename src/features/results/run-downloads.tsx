import { toOtlp } from "../../engine/run/export/otel.ts";
import { useEditor } from "../../state/editor/editor-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { CopyButton } from "../../ui/buttons/copy-button.tsx";
import { downloadJson } from "../../ui/data/download-json.ts";
import { Menu } from "../../ui/overlays/menu.tsx";

/** The run as a file: with all its events, or as OpenTelemetry traces with or without what was said. */
export function RunDownloads({ runId }: { runId: string }) {
  const { runs, document } = useEditor();
  const record = () => ({ format: "switchyard-run", version: 1, runId, events: runs.events(runId) });
  const name = `run-${runId.slice(0, 8)}`;
  const traces = (content: boolean) => {
    const { nodes } = document.getState().document;
    const titleOf = (nodeId: string) => nodes[nodeId]?.title;
    downloadJson(`${name}-otel.json`, toOtlp(runs.events(runId), { titleOf, content }));
  };
  const download = (content: boolean) => () => traces(content);
  return (
    <>
      <Button size="sm" icon="download" onClick={() => downloadJson(`${name}.json`, record())}>
        Download as JSON
      </Button>
      <CopyButton text={() => JSON.stringify(record(), null, 2)} label="Copy the run as JSON" />
      <Menu
        align="start"
        trigger={
          <Button size="sm" icon="waypoints">
            OpenTelemetry
          </Button>
        }
        items={[
          { heading: "Traces as OTLP JSON" },
          { label: "Names, times, tokens and cost", icon: "download", onSelect: download(false) },
          { label: "Also messages, arguments and results", icon: "download", onSelect: download(true) },
        ]}
      />
    </>
  );
}
