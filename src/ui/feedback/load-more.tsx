import { Button } from "../buttons/button.tsx";

interface LoadMoreProps {
  /** How many rows are shown, and how many there are. */
  shown: number;
  total: number;
  /** What the rows are, as in "workflows". */
  what: string;
  busy: boolean;
  /** Absent at the end of the list. */
  onMore?: (() => void) | undefined;
}

/** The foot of a long list: how much of it is shown, and the way to the rest. Nothing where all of a list is shown. */
export function LoadMore({ shown, total, what, busy, onMore }: LoadMoreProps) {
  if (onMore === undefined) return null;
  return (
    <div className="flex flex-wrap items-center justify-center gap-3 py-1">
      <span role="status" className="text-xs text-muted numeric">
        {shown.toLocaleString("en")} of {total.toLocaleString("en")} {what}
      </span>
      <Button size="sm" busy={busy} onClick={onMore}>
        Show more
      </Button>
    </div>
  );
}
