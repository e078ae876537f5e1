import { useState } from "react";
import { Link, useLocation, useSearchParams } from "wouter";
import { SuiteActions } from "../../features/tests/suite-actions.tsx";
import { SuiteView, suiteTabs } from "../../features/tests/suite-view.tsx";
import { useSuite } from "../../features/tests/use-suites.ts";
import { BackLink } from "./back-link.tsx";
import { NotOpened } from "./not-opened.tsx";
import { PageFrame } from "./page-frame.tsx";

/** One suite. The tab stands in the address. */
export function SuitePage({ suiteId }: { suiteId: string }) {
  const suite = useSuite(suiteId);
  const [, navigate] = useLocation();
  const [search, setSearch] = useSearchParams();
  const [before] = useState(suite.data?.stored.name ?? "Suite");
  const tab = suiteTabs.find((one) => one === search.get("tab")) ?? "results";
  if (suite.isError && suite.data === undefined) {
    return (
      <NotOpened
        what="test suite"
        whyGone="It was deleted, or it belongs to another account."
        all={{ label: "All tests", href: "/tests" }}
        error={suite.error}
        onRetry={() => void suite.refetch()}
      />
    );
  }
  const { stored, document } = suite.data ?? {};
  return (
    <PageFrame
      title={stored?.name ?? before}
      above={<BackLink href="/tests">Tests</BackLink>}
      lead={
        stored && (
          <>
            Tests the workflow{" "}
            <Link href={`/w/${stored.workflowId}`} className="text-accent underline">
              {document?.name}
            </Link>
          </>
        )
      }
      actions={
        <SuiteActions
          suiteId={suiteId}
          onRun={() => setSearch({}, { replace: true })}
          onGone={() => navigate("/tests")}
        />
      }
    >
      <SuiteView
        suiteId={suiteId}
        tab={tab}
        onTab={(next) => setSearch(next === "results" ? {} : { tab: next }, { replace: true })}
      />
    </PageFrame>
  );
}
