import { type ReactNode, useEffect } from "react";
import { useStore } from "zustand";
import { Button } from "../ui/buttons/button.tsx";
import { Spinner } from "../ui/feedback/spinner.tsx";
import type { ChatSession } from "./chat-session.ts";
import { Conversation } from "./conversation.tsx";
import { EntryForm } from "./entry-form.tsx";
import { PageMark } from "./page-mark.tsx";
import { mayShow } from "./page-surroundings.ts";
import { showLooks } from "./show-looks.ts";

/** The whole page, by what there is to see. */
export function ChatPage({ session }: { session: ChatSession }) {
  const phase = useStore(session.store, (state) => state.phase);
  const info = useStore(session.store, (state) => state.info);
  useEffect(() => {
    if (info !== null) showLooks(info);
  }, [info]);
  if (info !== null && !mayShow(window, info.sites)) {
    return <PlainPage title="This chat cannot be shown here">This site may not frame it.</PlainPage>;
  }
  switch (phase.kind) {
    case "loading":
      return (
        <main className="flex h-full items-center justify-center text-muted">
          <Spinner size={20} label="Opening the chat" />
        </main>
      );
    case "broken":
      return (
        <PlainPage
          title="The chat cannot be opened"
          action={<Button onClick={() => void session.start()}>Try again</Button>}
        >
          {phase.problem}
        </PlainPage>
      );
    case "closed":
      return (
        <PlainPage
          title={info === null ? "This chat is closed for now" : `${info.title} is closed for now`}
          mark={info !== null && <PageMark info={info} size="lg" />}
        >
          {phase.words}
        </PlainPage>
      );
    case "locked":
      return info === null ? null : <EntryForm session={session} info={info} problem={phase.problem} />;
    case "ready":
      return info === null ? null : <Conversation session={session} info={info} />;
    default:
      return phase satisfies never;
  }
}

/** A page with one thing to say. */
export function PlainPage(props: { title: string; children: ReactNode; mark?: ReactNode; action?: ReactNode }) {
  return (
    <main className="flex h-full flex-col items-center justify-center gap-2 overflow-y-auto p-6 text-center">
      {props.mark}
      <h1 className="text-xl font-semibold text-balance wrap-anywhere">{props.title}</h1>
      <p className="max-w-md text-base text-muted wrap-anywhere">{props.children}</p>
      {props.action !== undefined && <div className="mt-3">{props.action}</div>}
    </main>
  );
}
