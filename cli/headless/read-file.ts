import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import { decodeText } from "../../src/engine/text/decode-text.ts";
import { isJsonObject, type Json, type JsonObject, readJson } from "../../src/engine/json.ts";
import { CommandFailure } from "./command-failure.ts";

/** Where the user stands: npm moves to the project's root and keeps the place in INIT_CWD. */
export function userPath(path: string, environment: NodeJS.ProcessEnv = process.env): string {
  const ours = [
    "workflow",
    "evaluate",
    "runs",
    "publish",
    "delete-account",
    "prices",
    "import",
    "export",
    "data",
  ].includes(environment.npm_lifecycle_event ?? "");
  const base = ours ? environment.INIT_CWD : undefined;
  return resolve(base ?? process.cwd(), path);
}

/** The text of a file, whatever wrote it; what is no text comes as Node reads it. Rejects as `readFile` does. */
export async function readTextFile(path: string): Promise<string> {
  return textOf(await readFile(path));
}

const textOf = (bytes: Buffer) => decodeText(bytes) ?? bytes.toString("utf8");

/** A JSON file. Throws CommandFailure when it cannot be read or is no JSON; `what` names it for people. */
export async function readJsonFile(path: string, what: string): Promise<Json> {
  const full = userPath(path);
  let content: string;
  try {
    content = await readTextFile(full);
  } catch (error) {
    throw new CommandFailure(`The ${what} ${full} cannot be read: ${reason(error)}`, "Check the path.");
  }
  return parseJson(content, `The ${what} ${full}`);
}

/** The run's input: JSON text, `@file`, or `-` for standard input. */
export async function readInput(argument: string): Promise<Json> {
  if (argument === "-") return parseJson(textOf(await buffer(process.stdin)), "Standard input");
  if (argument.startsWith("@")) return readJsonFile(argument.slice(1), "input file");
  return parseJson(argument, "The value of --input");
}

/** Variables for templates: a JSON object as text, or `@file`. */
export async function readVariables(argument: string): Promise<JsonObject> {
  const value = argument.startsWith("@")
    ? await readJsonFile(argument.slice(1), "variables file")
    : parseJson(argument, "The value of --vars");
  if (isJsonObject(value)) return value;
  throw new CommandFailure("The variables are not a JSON object.", 'Write them as {"name": "value"}.', 2);
}

function parseJson(content: string, what: string): Json {
  try {
    // A byte order mark, as some editors write it, is no JSON.
    return readJson(content.replace(/^\uFEFF/, ""));
  } catch {
    throw new CommandFailure(
      `${what} is not valid JSON.`,
      'Write it like {"message": "Hello"}, in quotes of your shell.',
      2,
    );
  }
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? error.code : undefined;
  if (code === "ENOENT") return "the file does not exist.";
  if (code === "EISDIR") return "it is a directory.";
  return code === "EACCES" ? "you do not have permission to read it." : error.message;
}
