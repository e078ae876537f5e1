import { useState } from "react";
import { useStore } from "zustand";
import type { ChatPageInfo } from "../doors/chat-api.ts";
import { Dialog } from "../ui/overlays/dialog.tsx";
import { IconButton } from "../ui/buttons/icon-button.tsx";
import { Notice } from "../ui/feedback/notice.tsx";
import type { ChatSession } from "./chat-session.ts";
import { VisitorComposer } from "./visitor-composer.tsx";
import { ConversationList } from "./conversation-list.tsx";
import { PageMark } from "./page-mark.tsx";
import { TurnList } from "./turn-list.tsx";

/** The open conversation, with the visitor's others beside it, or behind a button where there is no room. */
export function Conversation({ session, info }: { session: ChatSession; info: ChatPageInfo }) {
  const problem = useStore(session.store, (state) => state.problem);
  const hasTurns = useStore(session.store, (state) => state.turns.length > 0);
  const hasThreads = useStore(session.store, (state) => state.threads.length > 0);
  const [listOpen, setListOpen] = useState(false);
  return (
    <div className="flex h-full bg-surface">
      {hasThreads && (
        <nav aria-label="Conversations" className="flex w-64 shrink-0 flex-col border-r bg-canvas max-lg:hidden">
          <ConversationList session={session} />
        </nav>
      )}
      <main className="flex min-w-0 flex-1 flex-col">
        <header className="flex h-14 shrink-0 items-center gap-2 border-b px-3 sm:px-4">
          <PageMark info={info} />
          <h1 className="min-w-0 flex-1 truncate text-lg font-semibold">{info.title}</h1>
          {hasTurns && (
            <IconButton
              icon="plus"
              label="New conversation"
              className={hasThreads ? "size-10! lg:hidden" : "size-10!"}
              onClick={() => void session.open(null)}
            />
          )}
          {hasThreads && (
            <IconButton
              icon="list"
              label="Conversations"
              className="size-10! lg:hidden"
              onClick={() => setListOpen(true)}
            />
          )}
          {(info.access === "password" || info.access === "account") && (
            <IconButton icon="log-out" label="Sign out" className="size-10!" onClick={() => void session.leave()} />
          )}
        </header>
        {problem !== null && (
          <div className="mx-auto w-full max-w-3xl px-3 pt-3">
            <Notice tone="warning" title={problem} />
          </div>
        )}
        <TurnList session={session} info={info} />
        <VisitorComposer session={session} info={info} />
      </main>
      <Dialog open={listOpen} onOpenChange={setListOpen} title="Conversations">
        <div className="-mx-5 -mb-5">
          <ConversationList session={session} onChosen={() => setListOpen(false)} />
        </div>
      </Dialog>
    </div>
  );
}
