import { parse } from "acorn";

/**
 * What code from n8n expects to find around it, in plain JavaScript: `$json`, `$input`, `$()`, `$node`, `items`, and a
 * small `DateTime`. `nodes` are the outputs of other nodes by their names. Runs in the sandbox.
 */
export const shims = `const $list = (value) => Array.isArray(value) ? value : value === null || value === undefined ? [] : [value];
const $wrap = (value) => ({ json: value, binary: {}, pairedItem: 0 });
const $source = (value) => { const all = $list(value).map($wrap); return { all: () => all, first: () => all[0], last: () => all[all.length - 1], item: all[0], itemMatching: (at) => all[at], json: all[0] && all[0].json, isExecuted: value !== null && value !== undefined, params: {}, context: {} }; };
const $nodes = typeof nodes === "object" && nodes !== null ? nodes : {};
const $ = (name) => { if (!(name in $nodes)) throw new Error("There is no node \\"" + name + "\\" before this one."); return $source($nodes[name]); };
const $node = new Proxy({}, { get: (_, name) => $(name) });
const $input = $source(json);
const items = $input.all();
const $items = (name) => name === undefined ? items : $(name).all();
const $now = new Date();
const $today = new Date(new Date().setUTCHours(0, 0, 0, 0));
const $workflow = {}; const $execution = { id: "" }; const $vars = {}; const $env = {}; const $runIndex = 0; const $itemIndex = 0;
const $plain = (value) => { const one = value && typeof value === "object" && "json" in value && !Array.isArray(value) ? value.json : value; return one === undefined ? null : one; };
const $result = (value) => { if (Array.isArray(value)) { const all = value.map($plain); return all.length === 1 ? all[0] : all; } return $plain(value); };`;

/** Names of the nodes that code reads: `$('A')`, `$node["A"]`, `$items("A")`. Read from the syntax tree, or by pattern. */
export function nodesReadBy(source: string): string[] {
  const names = new Set<string>();
  for (const [, , name = ""] of source.matchAll(/\$(?:node\[|items\(|\()\s*(["'`])([^\n]*?)\1/g)) {
    if (name !== "") names.add(name);
  }
  for (const [, name = ""] of source.matchAll(/\$node\.([A-Za-z_]\w*)/g)) names.add(name);
  return [...names];
}

/** Whether a text is the body of a function. */
export function isFunctionBody(source: string): boolean {
  try {
    parse(source, { ecmaVersion: 2024, allowReturnOutsideFunction: true, allowAwaitOutsideFunction: true });
    return true;
  } catch {
    return false;
  }
}

/** What the sandbox does not have, in words; empty when code needs none of it. */
export function missingIn(source: string): string[] {
  const found: string[] = [];
  if (/\bthis\.helpers\b|\$helpers\b|\bfetch\s*\(|\baxios\b|\$http\b/.test(source))
    found.push("requests (use an HTTP request node)");
  if (/\brequire\s*\(|\bimport\s*\(/.test(source)) found.push("modules");
  if (/\bDateTime\b|\bDuration\b/.test(source)) found.push("Luxon's DateTime (use Date)");
  if (/\$getWorkflowStaticData|\bgetWorkflowStaticData/.test(source)) found.push("data kept between runs");
  if (/\bBuffer\b|\$binary\b|\.binary\b/.test(source)) found.push("binary data");
  return found;
}
