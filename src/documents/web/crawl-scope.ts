/** Which addresses a source goes on with. */
interface ScopeSettings {
  kind: "page" | "sitemap" | "site" | "feed";
  url: string;
  /** Patterns of paths with their queries, in which `*` stands for anything; none: all. */
  include: readonly string[];
  exclude: readonly string[];
}

/** Files that are no documents. */
const noDocument =
  /\.(png|jpe?g|gif|webp|avif|svg|ico|css|m?js|woff2?|ttf|zip|gz|tgz|bz2|7z|rar|exe|dmg|mp[34]|m4a|mov|avi|webm|wav|ogg)$/i;

/** Addresses of the same site: the same host, with and without `www.`. A feed may lead anywhere. */
export function isInScope(address: string, { kind, url, include, exclude }: ScopeSettings): boolean {
  const { host, pathname, search } = new URL(address);
  if (kind !== "feed" && siteOf(host) !== siteOf(new URL(url).host)) return false;
  if (noDocument.test(pathname)) return false;
  const fits = (pattern: string) => fitsPattern(pattern, pathname + search);
  return (include.length === 0 || include.some(fits)) && !exclude.some(fits);
}

function siteOf(host: string): string {
  return host.replace(/^www\./, "");
}

/** Without backtracking, since anybody may write the pattern. */
function fitsPattern(pattern: string, path: string): boolean {
  const [first = "", ...others] = pattern.split("*");
  if (!path.startsWith(first)) return false;
  const last = others.pop();
  if (last === undefined) return path === first;
  let at = first.length;
  for (const part of others) {
    const found = path.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return path.length - last.length >= at && path.endsWith(last);
}
