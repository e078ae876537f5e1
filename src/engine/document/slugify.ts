/** Names that mean something else in an expression: template variables, CEL words, CEL type names. */
const taken: ReadonlySet<string> = new Set(
  (
    "json nodes workflow run now vars ai item true false null in as break const continue else for function if import let " +
    "loop package namespace return var void while prototype constructor cel google optional has " +
    "int uint double bool string bytes list map type dyn null_type timestamp duration size"
  ).split(" "),
);

/** The most characters of a name. Some signs are written out and become much longer than the title. */
export const maxNameLength = 400;
/** The most of those that leave room for `_2`, `_3` … */
export const maxStemLength = 380;

const withoutAccents = (title: string): string => title.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** Letters and digits that are neither Latin nor ASCII. */
const otherScript = /(?![\p{Script=Latin}\p{ASCII}])[\p{L}\p{N}]/u;
/** Letters and pictures that the name of a title without ASCII letters keeps. */
const sign = /(?!\p{ASCII})[\p{L}\p{So}]/u;

/**
 * The name that a title gives in expressions. Latin titles become identifiers: lower case, words joined by `_`, accents
 * dropped: "Ask the agent" → `ask_the_agent`, read as `nodes.ask_the_agent`. Titles in other scripts keep their letters and
 * signs: "查询 API" → `查询_api`, read as `nodes["查询_api"]`. A name gives itself. A title without letters, digits or
 * pictures gives `node`. No name is longer than `maxNameLength`. Not unique by itself; see `nodeSlugs`.
 */
export function slugify(title: string): string {
  const name = nameOf(title);
  // What is left may be of another kind, such as Latin alone.
  return name.length <= maxNameLength ? name : slugify(name.slice(0, maxStemLength));
}

function nameOf(title: string): string {
  const plain = withoutAccents(title);
  if (!otherScript.test(plain) && (/[a-z]/.test(plain) || !sign.test(plain))) return identifier(plain);
  const words = title
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFKC")
    .replace(/[^\p{L}\p{M}\p{N}\p{So}\p{Emoji_Modifier}]+/gu, "_")
    .replace(/^_+|_+$/g, "");
  return words === "" ? "node" : words;
}

/** The name that a title gave when names were ASCII alone, as documents from then use it. */
export function olderSlug(title: string): string {
  return identifier(withoutAccents(title));
}

function identifier(plain: string): string {
  const words = plain.replace(/[^a-z0-9]+/g, "_").replace(/^_+|_+$/g, "");
  if (words === "") return "node";
  if (/^[0-9]/.test(words)) return `n_${words}`;
  return taken.has(words) ? `${words}_node` : words;
}
