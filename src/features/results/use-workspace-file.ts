import { useEffect, useState } from "react";
import type { ShownWorkspaceFile } from "../../engine/run/run-state.ts";
import { useServices } from "../../services/services-context.tsx";
import { useEditor } from "../../state/editor/editor-context.tsx";
import { errorHint } from "../../ui/feedback/error-hint.ts";
import { type FileContent, readWorkspaceFile } from "./read-workspace-file.ts";

/** A file's content, once it is read, or why it could not be. */
export interface ShownContent extends Partial<FileContent> {
  problem?: { message: string; hint: string | undefined };
}

/** Reads a file of a workspace while it is shown. */
export function useWorkspaceFile({ path, file }: ShownWorkspaceFile): ShownContent {
  const services = useServices();
  const { document } = useEditor();
  const [content, setContent] = useState<ShownContent>({});
  const { $file, mediaType } = file;
  useEffect(() => {
    const control = new AbortController();
    const { id: workflowId } = document.getState().document;
    readWorkspaceFile(services, { workflowId, id: $file, path, mediaType }, control.signal).then(
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
