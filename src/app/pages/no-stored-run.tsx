import { NotOpened } from "./not-opened.tsx";

/** In place of a stored run that could not be opened. */
export function NoStoredRun({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <NotOpened
      what="run"
      whyGone="It was deleted, has expired, or belongs to another account."
      all={{ label: "All runs", href: "/runs" }}
      error={error}
      onRetry={onRetry}
    />
  );
}
