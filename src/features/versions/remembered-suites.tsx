import { Link } from "wouter";
import type { RememberedSuite } from "../../services/services.ts";
import { useSuitesNow } from "./use-versions.ts";

/** The suites among them that are there still and have changed since. */
export function useEarlierSuites(suites: readonly RememberedSuite[]): RememberedSuite[] {
  const { data: now = [] } = useSuitesNow();
  return suites.filter(({ id, revision }) => now.some((suite) => suite.id === id && suite.revision !== revision));
}

/** The suites that a version of the workflow had, each with its version; nothing where there were none. */
export function RememberedSuites({ suites }: { suites: readonly RememberedSuite[] }) {
  const now = useSuitesNow();
  if (suites.length === 0) return null;
  return (
    <ul aria-label="Tests of this version" className="flex flex-col gap-0.5 text-sm">
      {suites.map(({ id, name, version, revision }) => {
        const found = now.data?.find((suite) => suite.id === id);
        const state = found === undefined ? "deleted since" : found.revision === revision ? "as now" : "changed since";
        return (
          <li key={id} className="wrap-anywhere">
            Tests:{" "}
            {found === undefined ? (
              name
            ) : (
              <Link href={`/tests/${id}?tab=versions`} className="text-accent underline">
                {name}
              </Link>
            )}
            <span className="numeric text-muted">
              , version {version}
              {now.data !== undefined && `, ${state}`}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
