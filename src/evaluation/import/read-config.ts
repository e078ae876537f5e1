import { parse } from "yaml";
import { jsonProblem } from "../../engine/document/json-problem.ts";
import { type Json, parseJson } from "../../engine/json.ts";
import type { ImportedSuite } from "./imported-suite.ts";
import { importOpenaiEval, isOpenaiEval } from "./openai-evals.ts";
import { importPromptfoo, isPromptfoo } from "./promptfoo.ts";
import { replaceBigInts } from "../../engine/lossless-json.ts";

/** A text file by the name that messages give it. */
export interface ConfigFile {
  name: string;
  text: string;
}

/** What a config of another tool becomes, or why it cannot be read and what to do. */
export type ReadConfig = { ok: true; imported: ImportedSuite } | { ok: false; problem: string; hint: string };

/** JSON characters that are read at most; YAML takes longer to parse. */
const limits = { characters: 20_000_000, depth: 64 };
const mostYamlCharacters = 5_000_000;

/**
 * Reads a promptfoo config (YAML or JSON), or an eval of OpenAI with the rows of its data (one JSON object a line) where they are in a file
 * of their own. Nothing in them is run, and no file that they name is read. Never throws.
 */
export function readConfig(config: ConfigFile, rows?: ConfigFile): ReadConfig {
  const read = readValue(config);
  if (!read.ok) return read;
  if (isPromptfoo(read.value)) return { ok: true, imported: importPromptfoo(read.value) };
  if (!isOpenaiEval(read.value)) {
    const hint = "It takes a promptfoo config (with “tests”), or an eval of OpenAI (with “testing_criteria”).";
    return { ok: false, problem: `${config.name} is neither.`, hint };
  }
  if (rows === undefined) return { ok: true, imported: importOpenaiEval(read.value, []) };
  const found = readRows(rows);
  return Array.isArray(found) ? { ok: true, imported: importOpenaiEval(read.value, found) } : found;
}

type Refused = Extract<ReadConfig, { ok: false }>;

function refused(problem: string, hint: string): Refused {
  return { ok: false, problem, hint };
}

function readValue({ name, text }: ConfigFile): { ok: true; value: unknown } | Refused {
  const json = /^[\s\uFEFF]*[[{]/.test(text) ? parsedJson(text) : undefined;
  if (text.length > (json === undefined ? mostYamlCharacters : limits.characters))
    return refused(`${name} is too large.`, "Split it: 20 MB of JSON or 5 MB of YAML are read.");
  try {
    // No custom tags, and few aliases: a small file cannot become a huge one.
    const options = { schema: "core", merge: true, maxAliasCount: 100, logLevel: "error", intAsBigInt: true } as const;
    const value: unknown = json ?? parse(text, replaceBigInts, options);
    const unfit = jsonProblem(value, limits);
    return unfit === undefined
      ? { ok: true, value }
      : refused(`${name} cannot be taken: ${unfit}`, "Correct it in the file.");
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    return refused(`${name} is neither YAML nor JSON: ${reason}`, "Check the file.");
  }
}

function readRows({ name, text }: ConfigFile): Json[] | Refused {
  if (text.length > limits.characters) return refused(`${name} is too large.`, "Split it: 20 MB are read.");
  const rows: Json[] = [];
  for (const [index, line] of text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .entries()) {
    if (line.trim() === "") continue;
    const row = parsedJson(line);
    if (row === undefined)
      return refused(`Line ${index + 1} of ${name} is not valid JSON.`, "Give one JSON object a line.");
    const unfit = jsonProblem(row, limits);
    if (unfit !== undefined)
      return refused(`Line ${index + 1} of ${name} cannot be taken: ${unfit}`, "Correct it in the file.");
    rows.push(row);
  }
  return rows;
}

function parsedJson(text: string): Json | undefined {
  return parseJson(text.replace(/^\uFEFF/, ""));
}
