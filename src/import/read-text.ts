import { parseDocument } from "yaml";
import { documentLimits } from "../engine/document/read-document.ts";
import { jsonProblem } from "../engine/document/json-problem.ts";
import { firstJson } from "./first-json.ts";
import { replaceBigInts } from "../engine/lossless-json.ts";

/** The largest file that is read, in characters. */
export const mostCharacters = 20_000_000;
/** YAML takes longer to parse. */
const mostYamlCharacters = 5_000_000;
/** How often one anchor of YAML may be used, nested uses multiplied. */
const mostAliases = 100;

type Read = { ok: true; value: unknown } | { ok: false; problem: string };

/** JSON or YAML as a plain value, bounded in size and depth. Never throws. */
export function readText(text: string): Read {
  if (text.length > mostCharacters) return { ok: false, problem: "The file is larger than 20 MB." };
  const isJson = /^[\s\uFEFF]*[[{]/.test(text);
  const read = isJson ? firstJson(text) : readYaml(text);
  if (!read.ok) return read;
  const unfit = jsonProblem(read.value, { ...documentLimits, characters: mostCharacters });
  return unfit === undefined ? read : { ok: false, problem: unfit };
}

/** Whether a text looks like YAML with keys at its beginning. */
const looksLikeYaml = /^(?:---|%YAML|#|["']?[\w$.-]+["']?\s*:(?:\s|$))/m;

function readYaml(text: string): Read {
  const json = () => firstJson(text);
  if (!looksLikeYaml.test(text.slice(0, 20_000)) || text.length > mostYamlCharacters) return json();
  const yaml = parsedYaml(text);
  if (yaml.ok && typeof yaml.value === "object" && yaml.value !== null) return yaml;
  // JSON with words in front of it.
  const other = json();
  return other.ok && typeof other.value === "object" && other.value !== null ? other : yaml;
}

function parsedYaml(text: string): Read {
  const no = (reason: string): Read => ({ ok: false, problem: `The file is no YAML: ${reason}` });
  try {
    const document = parseDocument(text, { strict: false, uniqueKeys: false, logLevel: "silent", intAsBigInt: true });
    const [error] = document.errors;
    if (error) return no(error.message.split("\n")[0] ?? "");
    // Through JSON, so that dates, sets and tagged values are what JSON knows.
    const json = JSON.stringify(document.toJS({ maxAliasCount: mostAliases }), replaceBigInts) ?? "null";
    const value: unknown = JSON.parse(json);
    return { ok: true, value };
  } catch (error) {
    return no(error instanceof Error ? error.message : "it cannot be parsed");
  }
}
