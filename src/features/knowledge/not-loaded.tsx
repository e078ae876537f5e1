import type { ReactElement } from "react";
import { ServiceError } from "../../services/services.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { LoadFailure } from "../../ui/feedback/load-failure.tsx";

interface NotLoadedProps {
  what: "collection" | "document";
  error: Error;
  onRetry: () => void;
  /** The link to where the others are. */
  children: ReactElement<{ className?: string }>;
}

/** Why a page has nothing to show: what it belongs to is gone, or could not be read. */
export function NotLoaded({ what, error, onRetry, children }: NotLoadedProps) {
  if (!(error instanceof ServiceError) || error.kind !== "not-found") {
    return <LoadFailure error={error} onRetry={onRetry} />;
  }
  return (
    <EmptyState icon="search" title={`This ${what} does not exist`} action={<Button asChild>{children}</Button>}>
      It was deleted, or it belongs to another account.
    </EmptyState>
  );
}
