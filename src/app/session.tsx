import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import type { Account } from "../services/services.ts";
import { useServices } from "../services/services-context.tsx";
import { browserStorage, claimBrowser, forgetAccountData } from "./browser-storage.ts";

/** `ended`: the session is not good any more; the account stays on the page until it signs in again, or out. */
type Session = { status: "loading" } | { status: "out" } | { status: "in"; account: Account; ended: boolean };

const SessionContext = createContext<Session>({ status: "loading" });

/**
 * Follows who is signed in, also when another tab signs in or out. When an account leaves, everything of it that this
 * tab and this browser hold goes too.
 */
export function SessionProvider({ children }: { children: ReactNode }) {
  const { auth } = useServices();
  const queries = useQueryClient();
  const [session, setSession] = useState<Session>({ status: "loading" });
  const known = useRef<string | null>(null);
  const swept = useRef<string | null>(null);

  useEffect(
    () =>
      auth.onChange((account) => {
        // Before the next account's pages ask for anything.
        if (known.current !== null && known.current !== account?.id) queries.clear();
        known.current = account?.id ?? null;
        if (account !== null) claimBrowser(browserStorage(), account.id);
        setSession((before) => {
          if (account === null) return { status: "out" };
          const isSame = before.status === "in" && !before.ended && sameAccount(before.account, account);
          return isSame ? before : { status: "in", account, ended: false };
        });
      }),
    [auth, queries],
  );

  useEffect(
    () => auth.onEnded(() => setSession((before) => (before.status === "in" ? { ...before, ended: true } : before))),
    [auth],
  );

  // What was asked for without a session was refused. What stays as it was read is left alone: reading it again would draw its page anew.
  const ended = session.status === "in" && session.ended;
  useEffect(() => {
    if (!ended) return undefined;
    return () =>
      void queries.invalidateQueries({ predicate: (query) => query.isStale() || query.state.status === "error" });
  }, [ended, queries]);

  // After the panels of the old account are gone, so that their last writes are swept up as well.
  useEffect(() => {
    if (session.status === "loading") return;
    const next = session.status === "in" ? session.account.id : null;
    if (swept.current !== null && swept.current !== next) forgetAccountData(browserStorage());
    swept.current = next;
  }, [session]);

  return <SessionContext value={session}>{children}</SessionContext>;
}

function sameAccount(one: Account, other: Account): boolean {
  return one.id === other.id && one.email === other.email && one.guest === other.guest;
}

export function useSession(): Session {
  return useContext(SessionContext);
}
