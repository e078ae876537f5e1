import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { useServices } from "../../services/services-context.tsx";
import { useSettled } from "../../state/shared/use-pages.ts";
import type { MenuGroup } from "./rank-entries.ts";

/** Workflows that the menu takes from a search; the best of them are shown. */
const mostWorkflows = 50;

/** Workflows that stand before everything else while nothing is searched for. */
const mostRecent = 5;

/** The account's workflows whose names fit, but for the open one; none while they cannot be listed. */
export function useWorkflowGroup(typed: string, openId?: string): MenuGroup {
  return useFoundWorkflows(typed, openId).group;
}

/** The same, and in `recent` those that were edited last, for a menu that shows them before anything is typed. */
export function useFoundWorkflows(typed: string, openId?: string): { group: MenuGroup; recent: MenuGroup } {
  const { workflows } = useServices();
  const [, navigate] = useLocation();
  // These find an entry too, but stand in no name.
  const search = useSettled(typed.replace(/\b(open|workflow)\b/gi, ""));
  const { data, isError, isPlaceholderData } = useQuery({
    queryKey: ["workflows", "menu", search],
    queryFn: () => workflows.page({ search, order: "edited", own: true, limit: mostWorkflows }),
    placeholderData: keepPreviousData,
  });
  const entries = (data?.rows ?? [])
    .filter(({ id }) => id !== openId)
    .map(({ id, name }) => ({
      id: `open ${id}`,
      title: name,
      beside: ["open workflow"],
      icon: "workflow",
      detail: "Workflow",
      perform: () => navigate(`/w/${id}`),
    }));
  // What answered a search is still there while that is taken back.
  const isKnown = data !== undefined && !isPlaceholderData && search === "";
  const shown = isKnown
    ? { entries: entries.slice(0, mostRecent) }
    : { entries: [], awaited: isError ? 0 : mostRecent };
  return { group: { heading: "Open a workflow", entries }, recent: { heading: "Recent workflows", ...shown } };
}
