import { usePrefetchQuery } from "@tanstack/react-query";
import { type ComponentType, lazy, Suspense, useEffect, useState } from "react";
import { Redirect, Route, Switch, useLocation, useSearch, useSearchParams } from "wouter";
import { callbackPath } from "../features/credentials/callback-path.ts";
import { AnswerSourcesProvider, type SourcesSlot } from "../stores/answer-sources.tsx";
import { whenIdle } from "../host/when-idle.ts";
import type { Account } from "../services/services.ts";
import { useServices } from "../services/services-context.tsx";
import { loadMoreIcons } from "../ui/icons/icon.tsx";
import { Toaster } from "../ui/feedback/toast.tsx";
import { whenLoaded } from "../ui/feedback/when-loaded.tsx";
import { EndedSession } from "./ended-session.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import { MadeSecrets } from "./made-secrets.tsx";
import { PauseBanners } from "./pause-banners.tsx";
import { OfflineBanner } from "./offline-banner.tsx";
import { NotFoundPage } from "./pages/not-found-page.tsx";
import { workflowQuery } from "./pages/workflow-query.ts";
import { Rail } from "./rail.tsx";
import { resetLinkOf } from "./reset-link.ts";
import { useSession } from "./session.tsx";
import { LeaveShell } from "./shell/leave-shell.tsx";
import { useKeptRemovals } from "./use-kept-removals.ts";

/** A page with all icons that it may show. */
function page<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return whenLoaded(async () => {
    const [loaded] = await Promise.all([load(), loadMoreIcons()]);
    return loaded;
  });
}

const loadLibrary = async () => (await import("./pages/library-page.tsx")).LibraryPage;
const LibraryPage = page(loadLibrary);
const loadEditor = async () => (await import("./pages/editor-page.tsx")).EditorPage;
const EditorPage = whenLoaded(loadEditor);
// On the way to a canvas its code need not wait for React and for who is signed in; the page says what goes wrong with it.
if (window.location.pathname.startsWith("/w/")) loadEditor().catch(() => {});
const ImportsPage = page(async () => (await import("./pages/imports-page.tsx")).ImportsPage);
const KnowledgePage = page(async () => (await import("./pages/knowledge-page.tsx")).KnowledgePage);
const CollectionPage = page(async () => (await import("./pages/collection-page.tsx")).CollectionPage);
const DocumentPage = page(async () => (await import("./pages/document-page.tsx")).DocumentPage);
const CredentialsPage = page(async () => (await import("./pages/credentials-page.tsx")).CredentialsPage);
const RunsPage = page(async () => (await import("./pages/runs-page.tsx")).RunsPage);
const RunPage = page(async () => (await import("./pages/run-page.tsx")).RunPage);
const ComparePage = page(async () => (await import("./pages/compare-page.tsx")).ComparePage);
const ActivityPage = page(async () => (await import("./pages/activity-page.tsx")).ActivityPage);
const TestsPage = page(async () => (await import("./pages/tests-page.tsx")).TestsPage);
const SuitePage = page(async () => (await import("./pages/suite-page.tsx")).SuitePage);
const InboxPage = page(async () => (await import("./pages/inbox-page.tsx")).InboxPage);
const SettingsPage = page(async () => (await import("./pages/settings-page.tsx")).SettingsPage);
const ApiKeysPage = page(async () => (await import("./pages/api-keys-page.tsx")).ApiKeysPage);
const OAuthCallbackPage = page(async () => (await import("./pages/oauth-callback-page.tsx")).OAuthCallbackPage);
const NewPasswordPage = page(async () => (await import("./pages/new-password-page.tsx")).NewPasswordPage);
const loadSignIn = async () => (await import("./pages/sign-in-page.tsx")).SignInPage;
const SignInPage = page(loadSignIn);
// Likewise on the way to the sign-in page: its first paint waits to be used.
if (document.documentElement.hasAttribute("data-signing-in")) loadSignIn().catch(() => {});

/** Once the page stands; it says nothing that cannot wait, and is left out when it cannot be loaded. */
const StorageBanner = lazy(async () => {
  await new Promise<void>((resolve) => whenIdle(resolve));
  return import("./storage-banner.tsx").catch(() => ({ default: () => null }));
});

const sources: SourcesSlot = {
  Sources: lazy(async () => ({ default: (await import("../features/knowledge/citations.tsx")).Citations })),
};

// Before the auth library reads the address and clears it.
const openedLink = resetLinkOf(window.location.hash);

/** The whole site: which page for which address, and who may see it. */
export function App() {
  const session = useSession();
  const [path, navigate] = useLocation();
  const [resetLink, setResetLink] = useState(openedLink);
  // Without a token the link itself opens the session that may set the password.
  if (resetLink !== null && (resetLink.token !== null || session.status === "in")) {
    const onDone = () => {
      setResetLink(null);
      navigate("/", { replace: true });
    };
    return (
      <Suspense fallback={null}>
        <NewPasswordPage token={resetLink.token} onDone={onDone} />
      </Suspense>
    );
  }
  if (path === callbackPath) {
    return (
      <Suspense fallback={null}>
        <OAuthCallbackPage />
      </Suspense>
    );
  }
  return (
    <>
      <ErrorBoundary page={path}>
        <Suspense fallback={null}>
          {session.status === "out" && <SignedOut />}
          {session.status === "in" && (
            <AnswerSourcesProvider slot={sources}>
              <SignedIn key={session.account.id} account={session.account} ended={session.ended} />
            </AnswerSourcesProvider>
          )}
        </Suspense>
      </ErrorBoundary>
      <Toaster />
    </>
  );
}

/** Only an address of the site itself, so that a crafted link cannot send someone elsewhere after signing in. */
function safeNext(next: string | null): string {
  return next !== null && /^\/(?![/\\])/.test(next) ? next : "/";
}

function SignedOut() {
  const { auth } = useServices();
  const [path, navigate] = useLocation();
  const search = useSearch();
  useEffect(() => {
    if (path !== "/sign-in") {
      const place = search === "" ? path : `${path}?${search}`;
      // People sign out from the settings; whoever signs in next starts with the workflows, and has no page of a deleted account.
      navigate(
        path === "/" || path === "/settings" || auth.wasDeleted()
          ? "/sign-in"
          : `/sign-in?next=${encodeURIComponent(place)}`,
        {
          replace: true,
        },
      );
    }
  }, [path, search, navigate, auth]);
  // Who begins to sign in needs the next page soon; who only looks does not load it.
  useEffect(() => {
    const ahead = () => void loadLibrary().catch(() => {});
    const options = { once: true, passive: true };
    window.addEventListener("pointerdown", ahead, options);
    window.addEventListener("keydown", ahead, options);
    return () => {
      window.removeEventListener("pointerdown", ahead);
      window.removeEventListener("keydown", ahead);
    };
  }, []);
  return (
    <>
      <SignInPage />
      <LeaveShell />
    </>
  );
}

/** The workflow is asked for while the code of its page is still on its way. */
function OpenEditor({ workflowId }: { workflowId: string }) {
  usePrefetchQuery(workflowQuery(useServices(), workflowId));
  return <EditorPage workflowId={workflowId} />;
}

function SignedIn({ account, ended }: { account: Account; ended: boolean }) {
  const [path] = useLocation();
  const [search] = useSearchParams();
  useKeptRemovals(account.id);
  if (path === "/sign-in") return <Redirect to={safeNext(search.get("next"))} replace />;
  return (
    <div className="relative flex h-full overflow-clip max-sm:flex-col">
      <LeaveShell />
      <Rail />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        {ended && <EndedSession account={account} />}
        <OfflineBanner />
        <PauseBanners />
        <Suspense fallback={null}>
          <StorageBanner />
        </Suspense>
        <div className="min-h-0 flex-1">
          <ErrorBoundary page={path}>
            <Suspense fallback={null}>
              <Switch>
                <Route path="/" component={LibraryPage} />
                <Route path="/w/:id">{({ id }) => <OpenEditor key={id} workflowId={id} />}</Route>
                <Route path="/imports" component={ImportsPage} />
                <Route path="/knowledge" component={KnowledgePage} />
                <Route path="/knowledge/:id">{({ id }) => <CollectionPage key={id} collectionId={id} />}</Route>
                <Route path="/knowledge/:id/documents/:document">
                  {({ id, document }) => <DocumentPage key={document} collectionId={id} documentId={document} />}
                </Route>
                <Route path="/credentials" component={CredentialsPage} />
                <Route path="/runs" component={RunsPage} />
                <Route path="/runs/compare" component={ComparePage} />
                <Route path="/runs/:id">{({ id }) => <RunPage key={id} runId={id} />}</Route>
                <Route path="/activity/:id">{({ id }) => <ActivityPage key={id} workflowId={id} />}</Route>
                <Route path="/tests" component={TestsPage} />
                <Route path="/tests/:id">{({ id }) => <SuitePage key={id} suiteId={id} />}</Route>
                <Route path="/inbox" component={InboxPage} />
                <Route path="/settings" component={SettingsPage} />
                <Route path="/settings/api-keys" component={ApiKeysPage} />
                <Route component={NotFoundPage} />
              </Switch>
            </Suspense>
          </ErrorBoundary>
        </div>
      </div>
      <MadeSecrets />
    </div>
  );
}
