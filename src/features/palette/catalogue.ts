import {
  type AnyNodeDefinition,
  type NodeFamily,
  type NodeRegistry,
  offeredTypes,
} from "../../engine/document/define-node.ts";
import { matchWords } from "../../ui/text/match-words.ts";

/** One line of the catalogue: a node type, or something that opens to its kinds. */
export type CatalogueEntry =
  | { definition: AnyNodeDefinition }
  | { family: NodeFamily; kinds: readonly [AnyNodeDefinition, ...AnyNodeDefinition[]] };

interface CatalogueSection {
  title: string;
  entries: readonly CatalogueEntry[];
}

/** The sections in their order. */
const titles = ["Agents", "Triggers", "Models", "Tools", "Flow", "Data", "Notes and frames"] as const;

function sectionOf({ role, section, drawnAs }: AnyNodeDefinition): (typeof titles)[number] {
  switch (role) {
    case "agent":
    case "memory":
      return "Agents";
    case "trigger":
      return "Triggers";
    case "model":
      return "Models";
    case "tool":
      return "Tools";
    case "flow":
      if (section === "data") return "Data";
      return drawnAs === undefined ? "Flow" : "Notes and frames";
  }
}

/** A family stands where the first of its kinds does. */
function entriesOf(definitions: readonly AnyNodeDefinition[]): CatalogueEntry[] {
  return definitions.flatMap((definition): CatalogueEntry[] => {
    const { family } = definition;
    if (family === undefined) return [{ definition }];
    const [first, ...others] = definitions.filter((other) => other.family === family);
    return first === definition ? [{ family, kinds: [first, ...others] }] : [];
  });
}

/** What is on offer by section, in the registry's order; with a search, the single types that answer it, best first. */
export function catalogue(registry: NodeRegistry, search = ""): CatalogueSection[] {
  const offered = offeredTypes(registry);
  if (search.trim() !== "") {
    const found = offered
      .map((definition) => {
        const { title, type, summary, keywords } = definition;
        const score = matchWords(search, title, [type, sectionOf(definition), summary], keywords);
        return { definition, score };
      })
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score);
    return found.length === 0 ? [] : [{ title: "Nodes", entries: found }];
  }
  return titles.map((title) => ({
    title,
    entries: entriesOf(offered.filter((definition) => sectionOf(definition) === title)),
  }));
}
