/** Files that are looked at when many are given at once. */
export const maxFiles = 1_000;

/** Endings of files that may hold a workflow. */
const endings = /\.(?:json|ya?ml|tsx?|m?js|txt|sh|curl)$/i;

/** The files that may hold a workflow, and how many were left out as others. */
export function workflowFiles(files: readonly File[]): { files: File[]; others: number } {
  const fitting = files.filter(({ name }) => endings.test(name));
  return { files: fitting, others: files.length - fitting.length };
}

/** Everything that was dropped, what is in folders as well. To be called while the event is handled. */
export async function droppedFiles(data: DataTransfer): Promise<File[]> {
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (entries.length === 0) return [...data.files];
  const files: File[] = [];
  for (const entry of entries) await collect(entry, files);
  return files;
}

async function collect(entry: FileSystemEntry, files: File[]): Promise<void> {
  if (files.length > maxFiles) return;
  if (isFile(entry)) {
    files.push(await new Promise<File>((resolve, reject) => entry.file(resolve, reject)));
    return;
  }
  if (!isFolder(entry)) return;
  const reader = entry.createReader();
  // A reader gives its entries in parts, and an empty part at the end.
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) return;
    for (const one of part) await collect(one, files);
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
