/** A name as tools have it. */
export function toolName(wanted: string): string {
  return (
    wanted
      .normalize("NFKD")
      .replace(/[^A-Za-z0-9_-]+/g, "_")
      .replace(/^_+|_+$/g, "")
      .slice(0, 64) || "tool"
  );
}
