import { useLocation } from "wouter";
import { CommandMenu } from "../features/palette/command-menu.tsx";
import { menuLabels } from "../features/palette/menu-labels.ts";
import type { MenuGroup } from "../features/palette/rank-entries.ts";
import { useMenuSearch } from "../features/palette/use-menu-search.ts";
import { useFoundWorkflows } from "../features/palette/workflow-entries.ts";
import { places } from "./places.ts";

/** Pages that no link of the rail leads to. */
const furtherPages = [
  { href: "/imports", label: "Imports", icon: "upload" },
  { href: "/runs?tab=costs", label: "Costs", icon: "chart-column" },
  { href: "/runs?tab=published", label: "Published workflows", icon: "rocket" },
  { href: "/settings/api-keys", label: "API keys", icon: "key-round" },
];

function usePageGroups(search: string): MenuGroup[] {
  const [, navigate] = useLocation();
  const workflows = useFoundWorkflows(search);
  const pages: MenuGroup = {
    heading: "Go to a page",
    entries: [...places, ...furtherPages].map(({ href, label, icon }) => ({
      id: `page ${href}`,
      title: label,
      beside: ["go to page"],
      icon,
      perform: () => navigate(href),
    })),
  };
  return search.trim() === "" ? [workflows.recent, pages] : [pages, workflows.group];
}

interface PageMenuProps {
  /** What was typed before the menu was there. */
  typed: () => string;
  onClose: () => void;
}

/** The studio's pages and workflows by name, wherever no workflow is being edited. */
export function PageMenu({ typed, onClose }: PageMenuProps) {
  const search = useMenuSearch(typed);
  const groups = usePageGroups(search.text);
  return <CommandMenu label={menuLabels.pages} search={search} groups={groups} onClose={onClose} />;
}
