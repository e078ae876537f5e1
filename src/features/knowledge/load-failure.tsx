import type { ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";

/** Why something could not be loaded, what to do, and another try. */
export function LoadFailure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const hint: ReactNode = "hint" in error && typeof error.hint === "string" ? error.hint : undefined;
  return (
    <Notice
      tone="danger"
      title={error.message}
      action={
        <Button size="sm" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      {hint}
    </Notice>
  );
}

/** Grey shapes in place of a list that is on its way. */
export function ListSkeleton({ label }: { label: string }) {
  return (
    <div role="status" aria-label={label} className="flex flex-col gap-2">
      <div className="skeleton h-16" />
      <div className="skeleton h-16" />
    </div>
  );
}
