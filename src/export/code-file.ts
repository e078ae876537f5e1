/** Words that a name may not be. */
const reserved = new Set(
  "await break case catch class const continue debugger default delete do else enum export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield arguments eval undefined json nodes vars now input options args run process console fetch Error Promise Map JSON Math scope condition value cases found session history question result made said model item resolve output".split(
    " ",
  ),
);

/** Something that the exported program does not have, or has otherwise. */
export interface ExportNote {
  /** The node's title; absent where it is about the whole workflow. */
  node?: string;
  note: string;
}

/** The program that is being written: its names, imports, helpers and notes. */
export class CodeFile {
  readonly notes: ExportNote[] = [];
  /** Exact versions by package. */
  readonly packages: Record<string, string> = {};
  /** Names of helpers that the program calls. */
  readonly helpers = new Set<string>();
  /** Environment variables that it reads, with what they hold. */
  readonly environment = new Map<string, string>();
  private readonly imports = new Map<string, Set<string>>();
  private readonly names = new Set<string>();

  /** A name that nothing else in the program has. */
  name(wanted: string): string {
    const words = wanted
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .split(/[^A-Za-z0-9]+/)
      .filter((word) => word !== "");
    const joined = words
      .map((word, index) => (index === 0 ? lowerFirst(word) : word.charAt(0).toUpperCase() + word.slice(1)))
      .join("");
    const base = /^[A-Za-z]/.test(joined) ? joined.slice(0, 60) : `node${joined.slice(0, 56)}`;
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? base : `${base}${number}`;
      if (reserved.has(name) || this.names.has(name)) continue;
      this.names.add(name);
      return name;
    }
  }

  /** Says that a name is taken. */
  reserve(name: string): void {
    this.names.add(name);
  }

  import(module: string, version: string, ...names: string[]): void {
    this.packages[packageOf(module)] = version;
    const known = this.imports.get(module) ?? new Set();
    for (const name of names) {
      known.add(name);
      this.names.add(name.replace(/^type /, ""));
    }
    this.imports.set(module, known);
  }

  /** The name of a helper, which the program will hold. */
  helper(name: string): string {
    this.helpers.add(name);
    return name;
  }

  note(note: string, node?: string): void {
    if (this.notes.some((one) => one.note === note && one.node === node)) return;
    this.notes.push(node === undefined ? { note } : { node, note });
  }

  importLines(): string {
    return [...this.imports]
      .filter(([, names]) => names.size > 0)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([module, names]) => `import { ${[...names].toSorted().join(", ")} } from "${module}";`)
      .join("\n");
  }
}

const lowerFirst = (word: string) =>
  word === word.toUpperCase() ? word.toLowerCase() : word.charAt(0).toLowerCase() + word.slice(1);

function packageOf(module: string): string {
  return module.split("/", module.startsWith("@") ? 2 : 1).join("/");
}

/** Text within a comment of its own line. */
export function commentText(text: string): string {
  return text.replace(/[\r\n\u2028\u2029]+/g, " ").trim();
}
