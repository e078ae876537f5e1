import { type ReactNode, useEffect, useRef } from "react";

/** How near to the end still counts as being there, in pixels. */
const nearEnd = 24;

/**
 * The scrolling part of a chat: stays at its end while text comes in, unless the reader scrolled up. A new turn (`turns`
 * changes) always comes into view.
 */
export function ChatLog({ busy, turns, children }: { busy: boolean; turns: number; children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const lastTop = useRef(0);

  useEffect(() => {
    if (frame.current === null || content.current === null) return undefined;
    const observer = new ResizeObserver(() => {
      if (following.current && frame.current) frame.current.scrollTop = frame.current.scrollHeight;
    });
    observer.observe(content.current);
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    following.current = true;
    if (turns > 0 && frame.current) frame.current.scrollTop = frame.current.scrollHeight;
  }, [turns]);

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
        // Growing content moves the end away as well; only the reader moves upwards.
        if (scrollTop + clientHeight >= scrollHeight - nearEnd) following.current = true;
        else if (scrollTop < lastTop.current - 1) following.current = false;
        lastTop.current = scrollTop;
      }}
    >
      <div ref={content} className="mx-auto flex w-full max-w-3xl flex-col gap-4 px-4 py-3">
        {children}
      </div>
    </div>
  );
}
