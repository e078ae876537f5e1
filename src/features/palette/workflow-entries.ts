import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { useServices } from "../../services/services-context.tsx";
import { useSettled } from "../../stores/use-pages.ts";
import type { MenuGroup } from "./rank-entries.ts";

/** Workflows that the menu takes from a search; the best of them are shown. */
const mostWorkflows = 50;

/** The account's workflows whose names fit, but for the open one; none while they cannot be listed. */
export function useWorkflowGroup(typed: string, openId?: string): MenuGroup {
  const { workflows } = useServices();
  const [, navigate] = useLocation();
  // These find an entry too, but stand in no name.
  const search = useSettled(typed.replace(/\b(open|workflow)\b/gi, ""));
  const { data } = useQuery({
    queryKey: ["workflows", "menu", search],
    queryFn: () => workflows.page({ search, order: "edited", limit: mostWorkflows }),
    placeholderData: keepPreviousData,
  });
  const others = (data?.rows ?? []).filter(({ id }) => id !== openId);
  return {
    heading: "Open a workflow",
    entries: others.map(({ id, name }) => ({
      id: `open ${id}`,
      title: name,
      beside: ["open workflow"],
      icon: "workflow",
      detail: "Workflow",
      perform: () => navigate(`/w/${id}`),
    })),
  };
}
