import type { AnyNodeDefinition, NodeRegistry, NodeRole } from "../../engine/document/define-node.ts";

interface CatalogueSection {
  role: NodeRole;
  title: string;
  entries: readonly AnyNodeDefinition[];
}

const titles: Record<NodeRole, string> = {
  trigger: "Triggers",
  agent: "Agents",
  model: "Models",
  memory: "Memory",
  tool: "Tools",
  flow: "Flow",
};

/** How well a definition answers a search: lower is better, null is not at all. Every word has to be found. */
function rank(definition: AnyNodeDefinition, words: readonly string[]): number | null {
  const title = definition.title.toLowerCase();
  const all = `${title} ${definition.type} ${titles[definition.role]} ${definition.summary}`.toLowerCase();
  if (!words.every((word) => all.includes(word))) return null;
  const first = words[0] ?? "";
  if (title.startsWith(first)) return 0;
  return title.includes(first) ? 1 : 2;
}

/** The node types by category, in the registry's order; with a search, only those that answer it, best first. */
export function catalogue(registry: NodeRegistry, search = ""): CatalogueSection[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const ranked = Object.values(registry).flatMap((definition) => {
    const place = definition.hidden ? null : rank(definition, words);
    return place === null ? [] : [{ definition, place }];
  });
  if (words.length > 0) ranked.sort((a, b) => a.place - b.place);
  const sections = Object.entries(titles).map(([role, title]) => ({
    role,
    title,
    entries: ranked.filter(({ definition }) => definition.role === role).map(({ definition }) => definition),
  }));
  return sections.flatMap(({ role, title, entries }) => {
    const known = entries[0]?.role;
    return known !== undefined && known === role ? [{ role: known, title, entries }] : [];
  });
}
