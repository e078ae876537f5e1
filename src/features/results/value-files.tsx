import type { Json } from "../../engine/json.ts";
import { useFilesOf } from "../../state/file/use-files.ts";
import { FileList } from "../../ui/files/file-list.tsx";

/** The files that a value holds. */
export function ValueFiles({ value }: { value: Json | undefined }) {
  return <FileList label="Files" {...useFilesOf(value)} />;
}
