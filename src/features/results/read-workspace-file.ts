import { nobodyApproves } from "../../engine/host.ts";
import type { Json } from "../../engine/json.ts";
import { readOutput } from "../../nodes/files/read-output.ts";
import type { Services } from "../../services/services.ts";

/** Bytes of a file that is shown in the page. */
const largestShown = 2_000_000;

/** What is in a file. `rows` are those of a table; a file that is too large to be shown has no `text`. */
export interface FileContent {
  blob: Blob;
  text?: string;
  rows?: Json;
}

interface AskedFile {
  workflowId: string;
  id: string;
  path: string;
  mediaType: string;
}

/** Reads a file of a workspace. Rejects with a ServiceError, and with the signal's reason. */
export async function readWorkspaceFile(
  services: Pick<Services, "files" | "createHost">,
  asked: AskedFile,
  signal: AbortSignal,
): Promise<FileContent> {
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
