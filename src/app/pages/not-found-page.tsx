import { Link } from "wouter";
import { Button } from "../../ui/buttons/button.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { usePageTitle } from "../page-title.ts";

export function NotFoundPage() {
  usePageTitle("Not found");
  return (
    <main className="flex h-full flex-col justify-center overflow-y-auto pb-24">
      <EmptyState
        isPage
        icon="map"
        title="There is nothing at this address"
        action={
          <Button asChild variant="primary">
            <Link href="/">Go to your workflows</Link>
          </Button>
        }
      >
        The link may be old or mistyped.
      </EmptyState>
    </main>
  );
}
