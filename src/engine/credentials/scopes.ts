import type { JsonObject } from "../json.ts";

/** In characters: an address that carries more is refused by many servers. */
const longestList = 8_000;

/** The name under which a credential's settings keep what its server has asked for since the last sign-in. */
const settingName = "wantedScope";

/** The scopes of a list, as RFC 6749 §3.3 writes them: separated by spaces, each of visible ASCII but `"` and `\`. */
function scopesOf(list: string | undefined): string[] {
  const parts = (list ?? "").split(" ");
  return parts.filter((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope));
}

/** All scopes of several lists, each once, as long as they fit into an address. What is no scope is left out. */
export function joinScopes(...lists: readonly (string | undefined)[]): string {
  let joined = "";
  for (const scope of new Set(lists.flatMap(scopesOf))) {
    const longer = joined === "" ? scope : `${joined} ${scope}`;
    if (longer.length <= longestList) joined = longer;
  }
  return joined;
}

/** The scopes of `wanted` that `had` lacks; empty when it has them all. */
export function missingScopes(wanted: string, had: string | undefined): string {
  const known = new Set(scopesOf(had));
  return joinScopes(
    scopesOf(wanted)
      .filter((scope) => !known.has(scope))
      .join(" "),
  );
}

/** The scopes that an MCP server has asked for beyond those of the last sign-in; empty when there are none. */
export function wantedScope(settings: JsonObject): string {
  const wanted = settings[settingName];
  return typeof wanted === "string" ? joinScopes(wanted) : "";
}

/** Settings that also want these scopes at the next sign-in. */
export function withWantedScope(settings: JsonObject, scope: string): JsonObject {
  return { ...settings, [settingName]: joinScopes(wantedScope(settings), scope) };
}
