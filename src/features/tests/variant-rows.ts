import { isJsonObject, type Json, type JsonObject, parseJson } from "../../engine/json.ts";
import { noPrices, type PriceTexts, priceTexts, readPrices } from "./model-price.ts";

/** A version of the workflow that a suite compares, as it is typed. What is empty is as in the workflow. */
export interface VariantRow extends PriceTexts {
  /** Tells rows apart while they are edited. */
  key: string;
  /** How results call it. */
  name: string;
  /** The model's node, by its id or title. */
  nodeId: string;
  provider: string;
  model: string;
  /** Id of a credential. */
  credential: string;
  /** JSON: an object with further settings of the node. */
  other: string;
}

const textNames = ["name", "nodeId", "provider", "model", "credential"] as const;

export function emptyVariant(key: string): VariantRow {
  return { key, name: "", nodeId: "", provider: "", model: "", credential: "", ...noPrices, other: "" };
}

/** Stored versions as rows. */
export function variantRows(matrix: Json | undefined): VariantRow[] {
  if (!Array.isArray(matrix)) return [];
  return matrix.map((entry, index) => {
    const row = emptyVariant(String(index));
    if (!isJsonObject(entry)) return row;
    const { inputPrice: _input, outputPrice: _output, ...settings } = entry;
    const other: JsonObject = {};
    for (const [key, value] of Object.entries(settings)) {
      const name = textNames.find((one) => one === key);
      if (name !== undefined && typeof value === "string") row[name] = value;
      else other[key] = value;
    }
    Object.assign(row, priceTexts(entry));
    return { ...row, other: Object.keys(other).length === 0 ? "" : JSON.stringify(other) };
  });
}

/** The versions that rows stand for, or what is wrong by the keys of rows. */
export function readVariants(
  rows: readonly VariantRow[],
): { ok: true; matrix: JsonObject[] } | { ok: false; problems: Record<string, string> } {
  const problems: Record<string, string> = {};
  const matrix = rows.map((row): JsonObject => {
    const entry: JsonObject = {};
    for (const name of textNames) if (row[name].trim() !== "") entry[name] = row[name].trim();
    const { prices, isWrong } = readPrices(row);
    if (isWrong) problems[row.key] = "A price is a number from 0.";
    const other = row.other.trim() === "" ? {} : parseJson(row.other);
    if (!isJsonObject(other)) {
      problems[row.key] = "The other settings are not an object in JSON.";
      return entry;
    }
    return { ...entry, ...prices, ...other };
  });
  return Object.keys(problems).length > 0 ? { ok: false, problems } : { ok: true, matrix };
}
