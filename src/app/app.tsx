import { usePrefetchQuery } from "@tanstack/react-query";
import { type ComponentType, useEffect, useState } from "react";
import { Redirect, Route, Switch, useLocation, useSearch, useSearchParams } from "wouter";
import { callbackPath } from "../features/credentials/callback-path.ts";
import { AnswerSourcesProvider, type SourcesSlot } from "../state/run/answer-sources.tsx";
import { Citations } from "../features/knowledge/citations.tsx";
import type { Account } from "../services/services.ts";
import { useServices } from "../services/services-context.tsx";
import { PageOnItsWay } from "../ui/feedback/on-its-way.tsx";
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
import { StorageBanner } from "./storage-banner.tsx";
import { LeaveShell } from "./shell/leave-shell.tsx";
import { useKeptRemovals } from "./use-kept-removals.ts";

const loadAccount = () => import("./pages/account-pages.ts");
const loadLibrary = async () => (await import("./pages/library-page.tsx")).LibraryPage;
const loadEditor = async () => (await import("./pages/editor-page.tsx")).EditorPage;
const loadKnowledge = () => import("./pages/knowledge-pages.ts");
const loadRuns = () => import("./pages/runs-pages.ts");
const loadTests = () => import("./pages/tests-pages.ts");
const loadSettings = () => import("./pages/settings-pages.ts");

const page = <Props extends object>(load: () => Promise<ComponentType<Props>>) => whenLoaded(load, PageOnItsWay);

const SignInPage = whenLoaded(async () => (await loadAccount()).SignInPage);
const NewPasswordPage = whenLoaded(async () => (await loadAccount()).NewPasswordPage);
const OAuthCallbackPage = whenLoaded(async () => (await loadAccount()).OAuthCallbackPage);
const LibraryPage = page(loadLibrary);
const EditorPage = page(loadEditor);
const ImportsPage = page(async () => (await import("./pages/imports-page.tsx")).ImportsPage);
const KnowledgePage = page(async () => (await loadKnowledge()).KnowledgePage);
const CollectionPage = page(async () => (await loadKnowledge()).CollectionPage);
const DocumentPage = page(async () => (await loadKnowledge()).DocumentPage);
const RunPage = page(async () => (await import("./pages/run-page.tsx")).RunPage);
const RunsPage = page(async () => (await loadRuns()).RunsPage);
const ComparePage = page(async () => (await loadRuns()).ComparePage);
const ActivityPage = page(async () => (await loadRuns()).ActivityPage);
const TestsPage = page(async () => (await loadTests()).TestsPage);
const SuitePage = page(async () => (await loadTests()).SuitePage);
const SettingsPage = page(async () => (await loadSettings()).SettingsPage);
const ApiKeysPage = page(async () => (await loadSettings()).ApiKeysPage);
const CredentialsPage = page(async () => (await loadSettings()).CredentialsPage);
const InboxPage = page(async () => (await loadSettings()).InboxPage);

/** The first page need not wait for React and for who is signed in; it says itself when it cannot be loaded. */
function loadAhead(): Promise<unknown> | undefined {
  const { pathname } = window.location;
  if (document.documentElement.hasAttribute("data-signing-in")) return loadAccount();
  if (pathname.startsWith("/w/")) return loadEditor();
  return pathname === "/" ? loadLibrary() : undefined;
}
loadAhead()?.catch(() => {});

const sources: SourcesSlot = { Sources: Citations };

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
    return <NewPasswordPage token={resetLink.token} onDone={onDone} />;
  }
  if (path === callbackPath) {
    return <OAuthCallbackPage />;
  }
  return (
    <>
      <ErrorBoundary page={path}>
        {session.status === "out" && <SignedOut />}
        {session.status === "in" && (
          <AnswerSourcesProvider slot={sources}>
            <SignedIn key={session.account.id} account={session.account} ended={session.ended} />
          </AnswerSourcesProvider>
        )}
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
  return <SignInPage />;
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
        <StorageBanner />
        <div className="min-h-0 flex-1">
          <ErrorBoundary page={path}>
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
          </ErrorBoundary>
        </div>
      </div>
      <MadeSecrets />
    </div>
  );
}
