import { useEffect } from "react";
import { useServices } from "../services/services-context.tsx";
import { whenIdle } from "../state/shared/storage/when-idle.ts";

/** When a workflow is opened and nothing else is to be done: has the page price runs by what the operator accepted. */
export function useAcceptedPrices(): void {
  const { prices } = useServices();
  useEffect(() => {
    // Without a connection the prices that are known count.
    whenIdle(() => void prices.take().catch(() => {}));
  }, [prices]);
}
