/**
 * Where text that strangers may have written came from, in words for a person: an address, a tool, an earlier message.
 * Empty: nothing came from outside. Whatever is made from several values carries the sources of all of them.
 */
export type Taint = readonly string[];

/** Nothing came from outside. */
export const noTaint: Taint = [];

const mostSources = 5;
const longestSource = 200;

/** The sources of several values together: each once, the first five. */
export function joinTaint(...parts: readonly Taint[]): Taint {
  let joined = noTaint;
  for (const part of parts) {
    if (part === joined || part.length === 0) continue;
    if (joined.length === 0 && part.length <= mostSources) joined = part;
    else joined = [...new Set([...joined, ...part])].slice(0, mostSources);
  }
  return joined;
}

/** A source by its name, cut to a length that fits a line. */
export function sourceNamed(name: string): string {
  return name.length <= longestSource ? name : `${name.slice(0, longestSource - 1)}…`;
}

/** An address as a source, without its query, which may hold anything. */
export function sourceOfUrl(url: string): string {
  if (!URL.canParse(url)) return sourceNamed(url);
  const { origin, pathname } = new URL(url);
  return sourceNamed(`${origin}${pathname === "/" ? "" : pathname}`);
}

/** Why a person is asked, as a sentence; undefined where nothing came from outside. */
export function taintReason(taint: Taint | undefined): string | undefined {
  return taint === undefined || taint.length === 0
    ? undefined
    : `Text from outside is in the conversation: ${taint.join(", ")}.`;
}

/** The field of an event or result that carries the taint; left out where nothing came from outside. */
export function untrustedField(taint: Taint): { untrusted?: Taint } {
  return taint.length === 0 ? {} : { untrusted: taint };
}
