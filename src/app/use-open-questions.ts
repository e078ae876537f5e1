import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { whenIdle } from "../host/when-idle.ts";
import { useServices } from "../services/services-context.tsx";

/** How often the inbox is looked at while the tab is visible. */
export const inboxPollMs = 15_000;

/** How many tool calls wait for this person; 0 until that is known, and when it cannot be found out. */
export function useOpenQuestions(): number {
  const { inbox } = useServices();
  const [idle, setIdle] = useState(false);
  useEffect(() => {
    let gone = false;
    whenIdle(() => gone || setIdle(true));
    return () => void (gone = true);
  }, []);
  const { data = 0 } = useQuery({
    queryKey: ["inbox", "count"],
    queryFn: () => inbox.count(),
    enabled: idle,
    refetchInterval: inboxPollMs,
    refetchOnWindowFocus: "always",
    retry: false,
  });
  return data;
}
