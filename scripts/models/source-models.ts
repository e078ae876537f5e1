import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { parse } from "smol-toml";
import { z } from "zod/mini";
import { sourceApi, sourceModel, type SourceLists, type SourceModel } from "../../src/engine/models/source-models.ts";

/**
 * Reads a copy of models.dev: its `api.json`, or a folder with its repository's `providers` and `models`. Throws an Error that says
 * what is wrong with which file.
 */
export function readSource(path: string, wanted: readonly string[]): SourceLists {
  if (!existsSync(path)) throw new Error(`${path} is not there. Give a copy of models.dev: a folder or its api.json.`);
  if (statSync(path).isDirectory()) return readFolder(path, wanted);
  const read = sourceApi.safeParse(JSON.parse(readFileSync(path, "utf8")));
  if (!read.success) throw new Error(`${path} is not models.dev's api.json: ${z.prettifyError(read.error)}`);
  return Object.fromEntries(wanted.map((id) => [id, read.data[id]?.models ?? {}]));
}

type Toml = Record<string, unknown>;

function readFolder(folder: string, wanted: readonly string[]): SourceLists {
  const lists: Record<string, Record<string, SourceModel>> = {};
  for (const id of wanted) {
    const models = join(folder, "providers", id, "models");
    const list: Record<string, SourceModel> = {};
    for (const path of tomlFiles(models)) {
      const name = relative(models, path).split(sep).join("/").slice(0, -".toml".length);
      const read = sourceModel.safeParse(withBase(readToml(path), folder));
      if (!read.success) throw new Error(`${path}: ${z.prettifyError(read.error)}`);
      list[name] = read.data;
    }
    lists[id] = list;
  }
  return lists;
}

/** What a model says of itself goes before what its base says; `base_model_omit` names members that the base does not give. */
function withBase(model: Toml, folder: string): Toml {
  const { base_model: base, base_model_omit: omitted } = model;
  if (typeof base !== "string") return model;
  const given = readToml(join(folder, "models", `${base}.toml`));
  for (const path of Array.isArray(omitted) ? omitted : []) leaveOut(given, String(path).split("."));
  return merged(given, model);
}

function leaveOut(from: Toml, [first = "", ...rest]: string[]): void {
  if (rest.length === 0) delete from[first];
  else if (isTable(from[first])) leaveOut(from[first], rest);
}

function merged(base: Toml, over: Toml): Toml {
  const result: Toml = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const before = result[key];
    result[key] = isTable(before) && isTable(value) ? merged(before, value) : value;
  }
  return result;
}

function isTable(value: unknown): value is Toml {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function readToml(path: string): Toml {
  return parse(readFileSync(path, "utf8"));
}

function tomlFiles(folder: string): string[] {
  if (!existsSync(folder)) throw new Error(`${folder} is not there. Give the folder of a copy of models.dev.`);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".toml"))
    .map((entry) => join(entry.parentPath, entry.name));
}
