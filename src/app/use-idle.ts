import { useEffect, useState } from "react";
import { whenIdle } from "../state/shared/storage/when-idle.ts";

/** Whether the page has had nothing to do since it was shown: what can wait begins then. */
export function useIdle(): boolean {
  const [isIdle, setIsIdle] = useState(false);
  useEffect(() => {
    let isGone = false;
    whenIdle(() => isGone || setIsIdle(true));
    return () => void (isGone = true);
  }, []);
  return isIdle;
}
