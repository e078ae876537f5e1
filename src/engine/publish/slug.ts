const longest = 60;

/** An address made of a workflow's name: small Latin letters, digits and hyphens; "workflow" where it has none of them. */
export function suggestSlug(name: string): string {
  const words = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, longest)
    .replace(/^-+|-+$/g, "");
  return words === "" ? "workflow" : words;
}

/** What is wrong with an address; undefined when nothing is. */
export function slugProblem(slug: string): string | undefined {
  if (slug === "") return "Enter an address.";
  if (slug.length > longest) return `Use ${longest} characters at most.`;
  if (!/^[a-z0-9-]*$/.test(slug)) return "Use lowercase letters a–z, digits and hyphens.";
  return /^-|-$/.test(slug) ? "Begin and end with a letter or a digit." : undefined;
}
