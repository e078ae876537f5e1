import { useEffect, useState } from "react";

/** "in 3 s", counted down to a moment (milliseconds since 1970); nothing once it has come. */
export function Countdown({ until }: { until: number }) {
  // A new moment starts anew, since the clock is read when a countdown begins and at each whole second.
  return <Seconds key={until} until={until} />;
}

function Seconds({ until }: { until: number }) {
  const [now, setNow] = useState(() => Date.now());
  const left = Math.max(0, until - now);
  useEffect(() => {
    if (left === 0) return;
    const timer = setTimeout(() => setNow(Date.now()), left % 1000 || 1000);
    return () => clearTimeout(timer);
  }, [left]);
  return left > 0 && <>in {Math.ceil(left / 1000)} s</>;
}
