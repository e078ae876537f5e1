import { Component, type ReactNode } from "react";
import { Button } from "../ui/buttons/button.tsx";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { Notice } from "../ui/feedback/notice.tsx";
import { LeaveShell } from "./shell/leave-shell.tsx";

interface Props {
  children: ReactNode;
  /** The page; another one clears the error. */
  page: string;
}

interface State {
  error: Error | null;
  page: string;
}

/** A chunk that is gone means that the site was updated while this tab was open. */
function wasUpdated(error: Error): boolean {
  return /dynamically imported module|module script failed|preload/i.test(error.message);
}

/** Catches what a page throws and says what to do; the rail stays usable. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null, page: this.props.page };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    return props.page === state.page ? null : { error: null, page: props.page };
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    const updated = wasUpdated(error);
    return (
      <main className="h-full overflow-y-auto">
        <LeaveShell />
        <EmptyState
          icon={updated ? "refresh-cw" : "triangle-alert"}
          title={updated ? "Switchyard was updated" : "This page has run into an error"}
          action={
            <>
              <Button variant="primary" icon="refresh-cw" onClick={() => window.location.reload()}>
                Reload the page
              </Button>
              <Button asChild>
                <a href="/">Go to your workflows</a>
              </Button>
            </>
          }
        >
          {updated
            ? "This tab still has the old version. Reload it to continue; your saved work is safe."
            : "What you saved is safe, and so are the unsaved changes kept in this browser. Reload the page to continue."}
        </EmptyState>
        {!updated && (
          <div className="mx-auto max-w-[520px] px-4">
            <Notice title="What went wrong">
              <code className="font-mono text-xs">{error.message}</code>
            </Notice>
          </div>
        )}
      </main>
    );
  }
}
