import { type ReactNode, useEffect, useRef } from "react";

/** The scrolling part of a chat: stays at its end while text comes in, unless the reader scrolled up. */
export function ChatLog({ busy, children }: { busy: boolean; children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);

  useEffect(() => {
    if (frame.current === null || content.current === null) return undefined;
    const observer = new ResizeObserver(() => {
      if (atEnd.current && frame.current) frame.current.scrollTop = frame.current.scrollHeight;
    });
    observer.observe(content.current);
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);

  return (
    <div
      ref={frame}
      role="log"
      aria-label="Conversation"
      aria-busy={busy}
      tabIndex={0}
      className="min-h-0 flex-1 overflow-y-auto outline-offset-[-2px]"
      onScroll={({ currentTarget }) => {
        const { scrollTop, clientHeight, scrollHeight } = currentTarget;
        atEnd.current = scrollTop + clientHeight >= scrollHeight - 24;
      }}
    >
      <div ref={content} className="mx-auto flex w-full max-w-3xl flex-col gap-4 px-4 py-3">
        {children}
      </div>
    </div>
  );
}
