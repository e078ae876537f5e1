import { useQuery } from "@tanstack/react-query";
import { useServices } from "../services/services-context.tsx";
import { useIdle } from "./use-idle.ts";

/** How often the inbox is looked at while the tab is visible. */
export const inboxPollMs = 15_000;

/** How many tool calls wait for this person; 0 until that is known, and when it cannot be found out. */
export function useOpenQuestions(): number {
  const { inbox } = useServices();
  const isIdle = useIdle();
  const { data = 0 } = useQuery({
    queryKey: ["inbox", "count"],
    queryFn: () => inbox.count(),
    enabled: isIdle,
    refetchInterval: inboxPollMs,
    refetchOnWindowFocus: "always",
    retry: false,
  });
  return data;
}
