import { useQueryClient } from "@tanstack/react-query";
import { Fragment, useEffect, useState } from "react";
import { Link, useLocation } from "wouter";
import { useStore } from "zustand";
import { runSessions, stopRuns } from "../state/run/run-sessions.ts";
import { unstoredRuns } from "../state/run/unstored-runs.ts";
import { classNames } from "../ui/theme/class-names.ts";
import { Icon } from "../ui/icons/icon.tsx";
import { Tooltip } from "../ui/overlays/tooltip.tsx";
import { LiveRuns } from "./live-runs.tsx";
import { PageSearch } from "./page-search.tsx";
import { type Place, places } from "./places.ts";
import { refreshStoredRuns } from "./refresh-stored-runs.ts";
import { useMedia } from "./use-media.ts";
import { useOpenQuestions } from "./use-open-questions.ts";

/** What runs in this tab: closing it asks until all is stored, lists have it then, and signing out stops it. Returns whether anything ran since signing in. */
function useRunsOfTab(): boolean {
  const running = useStore(runSessions, (state) => state.live.length > 0);
  const [hasRun, setHasRun] = useState(running);
  if (running && !hasRun) setHasRun(true);
  const unstored = useStore(unstoredRuns, (state) => state.ids.size > 0);
  useEffect(() => {
    if (!unstored) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [unstored]);
  const queries = useQueryClient();
  useEffect(() => refreshStoredRuns(queries), [queries]);
  useEffect(() => () => stopRuns(), []);
  return hasRun;
}

/** The way between the studio's pages: a rail at the left, a bar at the bottom of a phone (not over an open workflow). */
export function Rail() {
  const [path] = useLocation();
  const open = useOpenQuestions();
  const hasRun = useRunsOfTab();
  return (
    <nav
      aria-label="Main"
      className={classNames(
        "z-30 flex shrink-0 bg-surface max-sm:order-last max-sm:h-14 max-sm:justify-around max-sm:border-t max-sm:pb-[env(safe-area-inset-bottom)]",
        "sm:w-12 sm:flex-col sm:items-center sm:gap-1 sm:border-r sm:py-2",
        path.startsWith("/w/") && "max-sm:hidden",
      )}
    >
      <img src="/favicon.svg" alt="Switchyard" width={28} height={28} className="mb-2 max-sm:hidden" />
      {places.map((place) => (
        <Fragment key={place.href}>
          {place.href === "/settings" && <PageSearch inEditor={path.startsWith("/w/")} />}
          <RailLink place={place} current={place.holds(path)} count={place.href === "/inbox" ? open : 0} />
        </Fragment>
      ))}
      {hasRun && <LiveRuns />}
    </nav>
  );
}

interface RailLinkProps {
  place: Place;
  current: boolean;
  /** What waits there; 0 shows nothing. */
  count: number;
}

function RailLink({ place, current, count }: RailLinkProps) {
  // The bar of a phone shows the words itself.
  const isRail = useMedia("(min-width: 640px)");
  return (
    <Tooltip content={isRail ? place.label : undefined} side="right">
      <Link
        href={place.href}
        aria-label={count > 0 ? `${place.label}, ${count} waiting` : undefined}
        aria-current={current ? "page" : undefined}
        className={classNames(
          "relative flex items-center justify-center rounded-md text-muted transition-colors duration-100 hover:text-ink",
          "max-sm:flex-1 max-sm:flex-col max-sm:gap-0.5 max-sm:text-[10px] max-sm:tracking-tight sm:size-9 sm:hover:bg-hover",
          "aria-[current=page]:text-accent sm:aria-[current=page]:bg-accent-soft",
        )}
      >
        <Icon name={place.icon} size={18} />
        {/* Seven words side by side need more room than the smallest screens have. */}
        <span className={classNames("sm:sr-only", !current && "max-[359px]:sr-only")}>{place.label}</span>
        {count > 0 && (
          <span
            aria-hidden
            className="absolute top-0.5 left-[calc(50%+2px)] min-w-4 rounded-full bg-accent px-1 text-center text-[10px] leading-4 font-semibold text-on-accent numeric"
          >
            {count > 99 ? "99+" : count}
          </span>
        )}
      </Link>
    </Tooltip>
  );
}
