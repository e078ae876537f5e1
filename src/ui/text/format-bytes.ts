/** A size in bytes, such as "340 B" or "1.2 kB"; a dash where it is not known. */
export function formatBytes(bytes: number | null): string {
  if (bytes === null) return "–";
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} kB`;
  return bytes < 1_000_000_000 ? `${(bytes / 1_000_000).toFixed(1)} MB` : `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}
