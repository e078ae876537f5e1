import { Component, type ReactNode, useEffect, useState } from "react";
import { SharedRunView } from "../shared-run/shared-run-view.tsx";
import { Button } from "../ui/buttons/button.tsx";
import { Spinner } from "../ui/feedback/spinner.tsx";
import { type Fetched, fetchShared, readEmbedded } from "./read-shared.ts";

const embedded = readEmbedded(document);

/** The page behind a link, or the file that stands for one. */
export function SharePage() {
  if (embedded !== null) return <Shown fetched={embedded} />;
  // Only a page with an origin of its own cannot reach what the studio keeps in the browser.
  if (window.origin !== "null") {
    return (
      <PlainPage title="This page is not protected">
        Its host must send the headers that were built with the site: without them the page could reach what the studio
        keeps in this browser.
      </PlainPage>
    );
  }
  return <Linked />;
}

function Linked() {
  const [fetched, setFetched] = useState<Fetched | null>(null);
  useEffect(() => void fetchShared(location).then(setFetched), []);
  const retry = () => {
    setFetched(null);
    void fetchShared(location).then(setFetched);
  };
  if (fetched === null) {
    return (
      <div className="flex h-full items-center justify-center">
        <Spinner label="Opening the run" />
      </div>
    );
  }
  return <Shown fetched={fetched} onRetry={retry} />;
}

function Shown({ fetched, onRetry }: { fetched: Fetched; onRetry?: () => void }) {
  const title = fetched.status === "found" ? fetched.run.title : "Shared run";
  useEffect(() => void (document.title = title), [title]);
  switch (fetched.status) {
    case "found":
      return (
        <Readable>
          <main className="h-full">
            <SharedRunView shared={fetched.run} />
          </main>
        </Readable>
      );
    case "gone":
      return (
        <PlainPage title="There is no run here">
          The link has expired, was revoked, or is not complete. Ask whoever sent it for a new one.
        </PlainPage>
      );
    case "failed":
      return (
        <PlainPage title="The run could not be opened">
          {fetched.message}
          {onRetry && (
            <Button className="mt-3 self-center" onClick={onRetry}>
              Try again
            </Button>
          )}
        </PlainPage>
      );
    default:
      return fetched satisfies never;
  }
}

/** What somebody has written by hand may have the form of a run and still show nothing. */
class Readable extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return <PlainPage title="The run could not be opened">It is in a form that this page cannot read.</PlainPage>;
  }
}

function PlainPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="mx-auto flex h-full max-w-md flex-col justify-center gap-1 px-6 text-center">
      <h1 className="text-base font-semibold">{title}</h1>
      <div className="flex flex-col text-muted">{children}</div>
    </main>
  );
}
