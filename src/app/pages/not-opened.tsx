import { useLocation } from "wouter";
import { ServiceError } from "../../services/services.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { usePageTitle } from "../page-title.ts";

/** A page in place of something that could not be opened: because it is gone, or because it could not be reached now. */
export function NotOpened({
  what,
  whyGone,
  all,
  error,
  onRetry,
}: {
  /** What was to be opened, such as "run". */
  what: string;
  /** Why it may not be there any more. */
  whyGone: string;
  /** The page that lists what there is. */
  all: { label: string; href: string };
  error: Error;
  onRetry: () => void;
}) {
  const [, navigate] = useLocation();
  const gone = error instanceof ServiceError && error.kind === "not-found";
  const title = gone ? `This ${what} does not exist` : `The ${what} could not be opened`;
  usePageTitle(title);
  return (
    <main className="flex h-full flex-col justify-center overflow-y-auto pb-24">
      <EmptyState
        isPage
        icon={gone ? "search" : "cloud-off"}
        title={title}
        action={
          <>
            {!gone && (
              <Button variant="primary" icon="refresh-cw" onClick={onRetry}>
                Try again
              </Button>
            )}
            <Button onClick={() => navigate(all.href)}>{all.label}</Button>
          </>
        }
      >
        {gone ? whyGone : `${error.message}${error instanceof ServiceError ? ` ${error.hint}` : ""}`}
      </EmptyState>
    </main>
  );
}
