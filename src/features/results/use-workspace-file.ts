import { useEffect, useState } from "react";
import { nobodyApproves } from "../../engine/host.ts";
import type { Json } from "../../engine/json.ts";
import type { ShownWorkspaceFile } from "../../engine/run/run-state.ts";
import { readOutput } from "../../nodes/files/read-output.ts";
import type { Services } from "../../services/services.ts";
import { useServices } from "../../services/services-context.tsx";
import { errorHint } from "../../ui/feedback/error-hint.ts";
import { useEditor } from "../../state/editor/editor-context.tsx";

/** Bytes of a file that is shown in the page. */
const largestShown = 2_000_000;

/** What is in a file, as far as it is read. `rows` are those of a table; a file that is too large to be shown has no `text`. */
export interface FileContent {
  blob?: Blob;
  text?: string;
  rows?: Json;
  /** Why it could not be read. */
  problem?: { message: string; hint: string | undefined };
}

/** Reads a file of a workspace while it is shown. */
export function useWorkspaceFile({ path, file }: ShownWorkspaceFile): FileContent {
  const services = useServices();
  const { document } = useEditor();
  const [content, setContent] = useState<FileContent>({});
  const { $file, mediaType } = file;
  useEffect(() => {
    const control = new AbortController();
    const { id: workflowId } = document.getState().document;
    readContent(services, { workflowId, id: $file, path, mediaType }, control.signal).then(
      (read) => !control.signal.aborted && setContent(read),
      (error: unknown) =>
        !control.signal.aborted &&
        setContent({
          problem: { message: error instanceof Error ? error.message : String(error), hint: errorHint(error) },
        }),
    );
    return () => control.abort();
  }, [services, document, $file, path, mediaType]);
  return content;
}

interface Asked {
  workflowId: string;
  id: string;
  path: string;
  mediaType: string;
}

async function readContent(services: Services, asked: Asked, signal: AbortSignal): Promise<FileContent> {
  const blob = await services.files.open(asked.id, signal);
  if (blob.size > largestShown) return { blob };
  const text = await blob.text();
  if (asked.mediaType !== "text/csv") return { blob, text };
  const host = services.createHost({ workflowId: asked.workflowId, approve: nobodyApproves });
  const file = { name: asked.path, mediaType: asked.mediaType, bytes: new Uint8Array(await blob.arrayBuffer()) };
  const answer = await host.documents?.({ do: "read", file, kind: "csv" }, signal);
  // What is no table after all is a text.
  if (!answer?.ok || !answer.document?.tables.length) return { blob, text };
  const { rows = [] } = readOutput(answer.document, { give: "rows", sheet: "", hasHeader: true });
  return { blob, text, rows };
}
