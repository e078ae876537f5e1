import { ServiceError } from "../../stores/services.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";

/** Words for a run that could not be opened. */
export function NoStoredRun({ error, onRetry, onBack }: { error: Error; onRetry: () => void; onBack: () => void }) {
  const gone = error instanceof ServiceError && error.kind === "not-found";
  return (
    <main className="flex h-full flex-col justify-center overflow-y-auto pb-24">
      <EmptyState
        icon={gone ? "search" : "cloud-off"}
        title={gone ? "This run does not exist" : "The run could not be opened"}
        action={
          <>
            {!gone && (
              <Button variant="primary" icon="refresh-cw" onClick={onRetry}>
                Try again
              </Button>
            )}
            <Button onClick={onBack}>All runs</Button>
          </>
        }
      >
        {gone
          ? "It was deleted, is kept no longer, or belongs to another account."
          : `${error.message}${error instanceof ServiceError ? ` ${error.hint}` : ""}`}
      </EmptyState>
    </main>
  );
}
