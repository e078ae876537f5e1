import type { WorkflowDocument } from "./workflow-document.ts";

/** Names that mean something else in an expression: template variables, CEL words, CEL type names. */
const taken: ReadonlySet<string> = new Set(
  (
    "json nodes workflow run now vars ai item true false null in as break const continue else for function if import let " +
    "loop package namespace return var void while prototype constructor cel google optional has " +
    "int uint double bool string bytes list map type dyn null_type timestamp duration size"
  ).split(" "),
);

/**
 * A CEL identifier made from a title: lower case, words joined by `_`, accents dropped: "Ask the agent" →
 * `ask_the_agent`. Titles without Latin letters or digits give `node`. Not unique by itself; see `nodeSlugs`.
 */
export function slugify(title: string): string {
  const words = title
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
  if (words === "") return "node";
  if (/^[0-9]/.test(words)) return `n_${words}`;
  return taken.has(words) ? `${words}_node` : words;
}

/** The slug of every node by id, unique within the document: equal titles get `_2`, `_3` … in document order. */
export function nodeSlugs(document: Pick<WorkflowDocument, "nodes">): Map<string, string> {
  const slugs = new Map<string, string>();
  const used = new Set<string>();
  for (const [id, node] of Object.entries(document.nodes)) {
    const base = slugify(node.title);
    let slug = base;
    for (let count = 2; used.has(slug); count += 1) slug = `${base}_${count}`;
    used.add(slug);
    slugs.set(id, slug);
  }
  return slugs;
}
