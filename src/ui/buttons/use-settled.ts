import { useEffect, useState } from "react";

/** Milliseconds for which an answer cannot be given: whoever was about to press something else there would press it unread. */
const settlingMs = 500;

/** Whether a question has stood at its place for a moment, so that its answer is meant for it. `place` changes with either. */
export function useSettled(place: string): boolean {
  const [settled, setSettled] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setSettled(place), settlingMs);
    return () => clearTimeout(timer);
  }, [place]);
  return settled === place;
}
