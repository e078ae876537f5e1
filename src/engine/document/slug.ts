import { mentionedNames } from "./node-references.ts";
import { maxNameLength, maxStemLength, olderSlug, slugify } from "./slugify.ts";
import type { NodeRecord, WorkflowDocument } from "./workflow-document.ts";

/**
 * How expressions call every node, by id, unique within the document. A name that the node keeps holds; else it comes from
 * the title, with `_2`, `_3` … where it is taken, in document order. `before` is the document as it was: what a node was
 * called there, its title being the same, it is still called.
 */
export function nodeSlugs(
  document: Pick<WorkflowDocument, "nodes">,
  before?: Pick<WorkflowDocument, "nodes">,
): Map<string, string> {
  const nodes = Object.entries(document.nodes);
  const slugs = new Map<string, string>(nodes.map(([id]) => [id, ""]));
  const used = new Set<string>([""]);
  const keep = (id: string, name: string | undefined) => {
    if (name === undefined || used.has(name)) return;
    slugs.set(id, name);
    used.add(name);
  };
  for (const [id, { reference }] of nodes) if (isReference(reference)) keep(id, reference);
  const earlier = before && nodeSlugs(before);
  for (const [id, node] of nodes)
    if (slugs.get(id) === "" && before?.nodes[id]?.title === node.title) keep(id, earlier?.get(id));

  let mentioned: ReadonlySet<string> | undefined;
  for (const [id, { title }] of nodes) {
    if (slugs.get(id) !== "") continue;
    const [base, older] = [slugify(title), olderSlug(title)];
    if (base === older || before) {
      keep(id, free(base, used));
      continue;
    }
    // A document from before names were kept: expressions that use the name of that time keep their meaning.
    const formerly = free(older, used);
    mentioned ??= mentionedNames(document);
    keep(id, mentioned.has(formerly) ? formerly : free(base, used));
    used.add(formerly);
  }
  return slugs;
}

function free(base: string, used: ReadonlySet<string>): string {
  let name = base;
  const stem = base.length <= maxStemLength ? base : slugify(base.slice(0, maxStemLength));
  for (let count = 2; used.has(name); count += 1) name = `${stem}_${count}`;
  return name;
}

/** Whether a text can be kept as the name of a node: `nodes["…"]` reads it as it stands. */
export function isReference(text: unknown): text is string {
  return typeof text === "string" && text.length <= maxNameLength && slugify(text) === text;
}

/** Whether a title alone always gives this name, so that nothing has to be kept. */
function followsFrom(title: string, name: string): boolean {
  return slugify(title) === name && olderSlug(title) === name;
}

/**
 * The nodes whose name has to be kept with them, since the title alone does not give it whatever their order: with the name
 * to keep, or undefined where a kept one says nothing. Empty for a document that is in order.
 */
export function referencesToKeep(
  document: Pick<WorkflowDocument, "nodes">,
  before?: Pick<WorkflowDocument, "nodes">,
): Map<string, string | undefined> {
  const names = nodeSlugs(document, before);
  const changes = new Map<string, string | undefined>();
  for (const [id, { title, reference }] of Object.entries(document.nodes)) {
    const name = names.get(id) ?? "";
    const kept = followsFrom(title, name) ? undefined : name;
    if (kept !== reference) changes.set(id, kept);
  }
  return changes;
}

/** Keeps the names of nodes with them where that is needed, so that the order of nodes never changes them. Edits in place. */
export function keepReferences(
  document: Pick<WorkflowDocument, "nodes">,
  before?: Pick<WorkflowDocument, "nodes">,
): void {
  for (const [id, name] of referencesToKeep(document, before)) setReference(document.nodes[id], name);
}

/** Gives a node a name to keep, or takes it away. */
export function setReference(node: NodeRecord | undefined, name: string | undefined): void {
  if (node === undefined) return;
  if (name === undefined) delete node.reference;
  else node.reference = name;
}
