import { useCallback, useMemo } from "react";
import { filesIn, type FileValue } from "../../engine/file/file.ts";
import type { Json } from "../../engine/json.ts";
import { useServices } from "../../services/services-context.tsx";

/** A file as lists of files show it. */
export function shownFile({ $file: id, name, mediaType, size }: FileValue) {
  return { id, name, mediaType, size };
}

/** Files that are shown of one value. */
const maxFiles = 20;

/** What a list of files needs to show the first files that a value holds. */
export function useFilesOf(value: Json | undefined) {
  return useFiles(useMemo(() => filesIn(value).slice(0, maxFiles), [value]));
}

/** What a list of files needs to show those of the account: `files` as it takes them, and how to read one. */
export function useFiles(files: readonly FileValue[]) {
  const { files: service } = useServices();
  const open = useCallback((id: string, signal: AbortSignal) => service.open(id, signal), [service]);
  const shown = useMemo(() => files.map(shownFile), [files]);
  return { files: shown, open };
}
