import { useEffect, useRef } from "react";
import { useStore } from "zustand";
import type { ChatPageInfo } from "../doors/chat-api.ts";
import { MarkdownWords } from "../ui/text/markdown.tsx";
import { Answer, waitWords } from "./answer.tsx";
import type { ChatSession, PageTurn } from "./chat-session.ts";
import { PageFiles } from "./page-files.tsx";
import { PageMark } from "./page-mark.tsx";

/** How near to its end, in pixels, a conversation follows what is added to it. */
const nearEnd = 80;

/** Questions and answers; an empty conversation offers some questions. Stays at the end while the reader is there. */
export function TurnList({ session, info }: { session: ChatSession; info: ChatPageInfo }) {
  const turns = useStore(session.store, (state) => state.turns);
  const view = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const last = turns.at(-1);

  useEffect(() => {
    const node = view.current;
    if (node !== null && (atEnd.current || last?.runId === null)) node.scrollTop = node.scrollHeight;
  }, [last]);

  return (
    <div
      ref={view}
      className="min-h-0 flex-1 overflow-y-auto"
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        atEnd.current = scrollHeight - scrollTop - clientHeight < nearEnd;
      }}
    >
      {turns.length === 0 ? (
        <Welcome session={session} info={info} />
      ) : (
        // What arrives is read aloud when it is whole, by the line below.
        <ol aria-label="Conversation" className="mx-auto flex w-full max-w-3xl flex-col gap-6 px-4 py-6">
          {turns.map((turn) => (
            <li key={turn.key} className="flex min-w-0 flex-col gap-4">
              <Question turn={turn} />
              <Answer session={session} turn={turn} />
            </li>
          ))}
        </ol>
      )}
      <p role="status" className="sr-only">
        {last !== undefined && <SpokenState turn={last} />}
      </p>
    </div>
  );
}

/** What is read aloud of the last turn: its words, without the marks of their form. */
function SpokenState({ turn: { status, waits, answer, problem } }: { turn: PageTurn }) {
  if (status === "running") return waits === true ? waitWords : "The answer is on its way.";
  return (
    <>
      {answer !== "" && (
        <>
          Answer: <MarkdownWords text={answer} />
        </>
      )}{" "}
      {problem}
    </>
  );
}

function Question({ turn: { text, images, sent } }: { turn: PageTurn }) {
  return (
    <div className="flex max-w-[85%] flex-col items-end gap-2 self-end">
      <span className="sr-only">You: </span>
      {images.length > 0 && (
        <div className="flex flex-wrap justify-end gap-2">
          {images.map((url, index) => (
            <img
              key={index}
              src={url}
              alt={`Your picture ${index + 1}`}
              className="max-h-48 max-w-full rounded-lg border object-contain"
            />
          ))}
        </div>
      )}
      <PageFiles label="Your files" files={sent} align="end" />
      {text !== "" && (
        <div
          dir="auto"
          className="max-w-full rounded-xl bg-accent-soft px-4 py-2.5 text-base whitespace-pre-wrap wrap-anywhere"
        >
          {text}
        </div>
      )}
    </div>
  );
}

function Welcome({ session, info }: { session: ChatSession; info: ChatPageInfo }) {
  return (
    <div className="mx-auto flex min-h-full w-full max-w-2xl flex-col items-center justify-center gap-3 px-4 py-8 text-center">
      <PageMark info={info} size="lg" />
      <p className="max-w-lg text-lg text-balance whitespace-pre-wrap text-muted wrap-anywhere">
        {info.welcome || "What would you like to know?"}
      </p>
      {info.questions.length > 0 && (
        <ul aria-label="Suggested questions" className="mt-4 grid w-full gap-2 sm:grid-cols-2">
          {info.questions.map((question) => (
            <li key={question} className="flex">
              <button
                type="button"
                dir="auto"
                className="min-h-11 w-full rounded-lg border px-4 py-2.5 text-start text-base wrap-anywhere hover:bg-hover active:bg-pressed"
                onClick={() => session.send(question)}
              >
                {question}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
