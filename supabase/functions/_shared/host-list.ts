/**
 * A list of hosts as operators and users write them: `host`, `host:port`, `[v6]:port`, separated by commas. An entry
 * without a port stands for every port of that host. Hosts match by name or literal as the URL writes them, so that an
 * entry `127.0.0.1` does not open `localhost`, nor a name that leads there.
 */
export type HostList = readonly HostEntry[];

interface HostEntry {
  host: string;
  port: number | null;
  subdomains: boolean;
}

/** A name of labels, or an address, as the URL parser writes it. The parser itself takes commas and empty labels too. */
const hostPattern = /^(\[[0-9a-f:.]+\]|[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?)$/;

/** Reads one entry; `null` when it is none. `*.example.com` (all subdomains) counts only where `wildcards` says so. */
export function parseHostEntry(text: string, options: { wildcards?: boolean } = {}): HostEntry | null {
  const match = /^(\*\.)?(\[[0-9a-f:.]+\]|[^\s:/?#@*[\]\\]+)(?::(\d{1,5}))?$/i.exec(text.trim());
  const name = match?.[2];
  if (match === null || name === undefined) return null;
  const subdomains = match[1] !== undefined;
  if (subdomains && (options.wildcards !== true || !name.includes("."))) return null;
  const port = match[3] === undefined ? null : Number(match[3]);
  if (port !== null && (port < 1 || port > 65535)) return null;
  const host = URL.canParse(`http://${name}`) ? new URL(`http://${name}`).hostname : "";
  return hostPattern.test(host) ? { host, port, subdomains } : null;
}

/** Reads a comma-separated list; entries that are none are left out and named in `rejected`. */
export function parseHostList(
  text: string | readonly string[],
  options: { wildcards?: boolean } = {},
): { list: HostList; rejected: string[] } {
  const parts = typeof text === "string" ? text.split(",") : text;
  const list: HostEntry[] = [];
  const rejected: string[] = [];
  for (const part of parts) {
    if (part.trim() === "") continue;
    const entry = parseHostEntry(part, options);
    if (entry === null) rejected.push(part.trim());
    else list.push(entry);
  }
  return { list, rejected };
}

/** Whether a URL's host and port are on the list. */
export function listsHost(list: HostList, url: URL): boolean {
  const port = effectivePort(url);
  return list.some((entry) => {
    if (entry.port !== null && entry.port !== port) return false;
    return entry.subdomains ? url.hostname.endsWith(`.${entry.host}`) : url.hostname === entry.host;
  });
}

/** An entry as text, in its normal form. */
export function formatHostEntry(entry: HostEntry): string {
  return `${entry.subdomains ? "*." : ""}${entry.host}${entry.port === null ? "" : `:${entry.port}`}`;
}

/** The port a URL leads to, its scheme's own when it names none. */
export function effectivePort(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" ? 443 : 80;
}
