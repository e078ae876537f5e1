import { useEffect, useRef } from "react";
import { formatDuration } from "../../ui/text/format-duration.ts";

const tickMs = 250;

function wordsSince(since: number): string {
  const passed = Date.now() - since;
  return passed < 1000 ? "" : ` · ${formatDuration(passed)}`;
}

/**
 * How long it has been since a moment (milliseconds since 1970), from one second on. Writes its text by itself, so that a
 * clock draws nothing again.
 */
export function Elapsed({ since }: { since: number }) {
  const text = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const tick = () => {
      if (text.current) text.current.textContent = wordsSince(since);
    };
    tick();
    const timer = setInterval(tick, tickMs);
    return () => clearInterval(timer);
  }, [since]);
  return <span ref={text} />;
}
