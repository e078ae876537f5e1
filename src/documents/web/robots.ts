interface Rule {
  allows: boolean;
  path: string;
}

/** What a host's robots.txt says to one crawler. */
export interface Robots {
  allows(url: string): boolean;
  /** Seconds between two requests; undefined where it does not say. */
  delay: number | undefined;
}

/** Characters of a robots.txt that count: RFC 9309 asks for 500 KiB at least. */
const maxCharacters = 512 * 1024;

export const allowAll: Robots = { allows: () => true, delay: undefined };

/**
 * Reads a robots.txt as RFC 9309 says, for the crawler of this name: the group that names it counts, else the one for `*`; the rule
 * with the longest path wins, and one that allows wins over one of the same length that does not.
 */
export function readRobots(text: string, crawler: string): Robots {
  const groups = groupsOf(text.slice(0, maxCharacters));
  const own = groups.filter(({ crawlers }) => crawlers.includes(crawler.toLowerCase()));
  const counting = own.length > 0 ? own : groups.filter(({ crawlers }) => crawlers.includes("*"));
  const rules = counting.flatMap((group) => group.rules);
  return {
    allows(url) {
      const { pathname, search } = new URL(url);
      const path = decoded(pathname + search);
      if (path === "/robots.txt") return true;
      let best: Rule = { allows: true, path: "" };
      for (const rule of rules) {
        if (!matches(rule.path, path)) continue;
        const isLonger = rule.path.length > best.path.length;
        if (isLonger || (rule.path.length === best.path.length && rule.allows)) best = rule;
      }
      return best.allows;
    },
    delay: counting.map(({ delay }) => delay).find((delay) => delay !== undefined),
  };
}

interface Group {
  crawlers: string[];
  rules: Rule[];
  delay: number | undefined;
}

function groupsOf(text: string): Group[] {
  const groups: Group[] = [];
  let names = false;
  for (const line of text.split(/\r\n|[\r\n]/)) {
    const [, name, value] = /^\s*([\w-]+)\s*:\s*([^#]*?)\s*(?:#.*)?$/.exec(line.replace(/^\uFEFF/, "")) ?? [];
    if (name === undefined || value === undefined) continue;
    const field = name.toLowerCase();
    if (field === "user-agent") {
      if (!names) groups.push({ crawlers: [], rules: [], delay: undefined });
      names = true;
      groups.at(-1)?.crawlers.push(/^[\w*-]+/.exec(value)?.[0].toLowerCase() ?? "");
      continue;
    }
    const group = groups.at(-1);
    if (group === undefined) continue;
    if (field === "allow" || field === "disallow") {
      names = false;
      if (value !== "") group.rules.push({ allows: field === "allow", path: decoded(value) });
    } else if (field === "crawl-delay") {
      names = false;
      const seconds = Number(value);
      if (value !== "" && Number.isFinite(seconds) && seconds >= 0) group.delay ??= seconds;
    }
  }
  return groups;
}

/** The same text for letters however they are escaped. */
function decoded(path: string): string {
  return path.replace(/(?:%[\da-f]{2})+|[^ -~]+/gi, (escaped) => {
    try {
      return encodeURI(decodeURI(escaped));
    } catch {
      return escaped.toUpperCase();
    }
  });
}

/** `*` stands for anything; `$` at the end for the end of the path. Without backtracking, since anybody may write the pattern. */
function matches(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith("$");
  const parts = (isWhole ? pattern.slice(0, -1) : pattern).split("*");
  const [first = "", ...others] = parts;
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const [index, part] of others.entries()) {
    if (isWhole && index === others.length - 1) return path.length - part.length >= at && path.endsWith(part);
    const found = path.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return !isWhole || others.length > 0 || at === path.length;
}
