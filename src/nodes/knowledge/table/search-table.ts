import { RunError } from "../../../engine/errors.ts";
import type { Json, JsonObject } from "../../../engine/json.ts";
import { checkFilter } from "../../../engine/knowledge/filter/check-filter.ts";
import { allOf, type Condition } from "../../../engine/knowledge/filter/condition.ts";
import { parseFilter } from "../../../engine/knowledge/filter/parse-filter.ts";
import { missingVector } from "../../../engine/knowledge/knowledge-errors.ts";
import type { KnowledgeHit, KnowledgeQuery } from "../../../engine/knowledge/knowledge.ts";
import { type PostgresTable, rowChunkId, tableFields } from "../../../engine/knowledge/postgres-table.ts";
import { fuseByReciprocalRank } from "../../../engine/knowledge/reciprocal-rank.ts";
import { textWords } from "../../../engine/knowledge/text-words.ts";
import { readTable, type TableAccess } from "./read-table.ts";
import { type TableRow, tableRow } from "./table-row.ts";
import { meaningSql, type Wanted, wordsSql } from "./table-sql.ts";
import { wordShares } from "./word-shares.ts";

/** Rows with words of the query among which the best are chosen. */
const mostCandidates = 200;
/** Words of a query that are looked for. */
const mostWords = 60;

/** A row with how well it fits, from 0 to 1. */
interface Scored {
  row: TableRow;
  score: number;
}

/**
 * The rows of a table that fit a query, best first, with the scores of every collection. Rejects with a RunError, or with the
 * signal's reason.
 */
export async function searchTable(
  table: PostgresTable,
  { text, embedding, mode, limit, minScore = 0, filter }: KnowledgeQuery,
  access: Omit<TableAccess, "credential">,
): Promise<KnowledgeHit[]> {
  if (mode === "semantic" && !embedding) throw missingVector();
  const from = { ...access, credential: table.credential };
  const wanted = { filter: allOf([fixedFilter(table), filter]), limit };
  const [near, worded] = await Promise.all([
    mode === "keyword" || !embedding ? [] : byMeaning(table, embedding, wanted, from),
    mode === "semantic" ? [] : byWords(table, text, wanted, from),
  ]);
  return fused(near, worded, table)
    .filter((hit) => hit.score >= minScore)
    .slice(0, limit);
}

/** Which rows belong to the collection. Throws a RunError of code `invalid_config` for a filter that does not fit its columns. */
export function fixedFilter(table: Pick<PostgresTable, "filter" | "metadata">): Condition | undefined {
  const read = parseFilter(table.filter);
  if (read.ok && read.condition === undefined) return undefined;
  const checked = read.ok && read.condition ? checkFilter(read.condition, tableFields(table)) : read;
  if (!checked.ok) {
    const message = `The collection's own filter cannot be used. ${checked.message}`;
    throw new RunError({ code: "invalid_config", message, hint: checked.hint });
  }
  return checked.condition;
}

async function byMeaning(
  table: PostgresTable,
  vector: readonly number[],
  wanted: Wanted,
  from: TableAccess,
): Promise<Scored[]> {
  if (table.vector === null) throw missingVector();
  requireDimension(table.dimension, vector.length);
  const found = await readTable({ ...meaningSql(table, table.vector, vector, wanted), limit: wanted.limit }, from);
  return found.map((row) => {
    // 1 - cosine; a vector of zeros has no direction, and no distance.
    const distance = row["distance"];
    return { row: tableRow(row, table), score: typeof distance === "number" ? 1 - distance / 2 : 0 };
  });
}

/** Throws a RunError of code `invalid_config` where a model's vectors are not those of the column. */
export function requireDimension(expected: number | null, got: number): void {
  if (expected === null || expected === got) return;
  throw new RunError({
    code: "invalid_config",
    message: `The vectors of the table have ${expected} numbers, but the embedding model gave ${got}.`,
    hint: "Choose the model that made the vectors in the table, in the collection's settings.",
  });
}

async function byWords(table: PostgresTable, text: string, wanted: Wanted, from: TableAccess): Promise<Scored[]> {
  const words = [...new Set(textWords(text))].slice(0, mostWords);
  if (words.length === 0) return [];
  const limit = Math.max(wanted.limit, mostCandidates);
  const found = await readTable({ ...wordsSql(table, words, { ...wanted, limit }), limit }, from);
  const shares = wordShares(found.map(matchOf));
  return found
    .map((row, index) => ({ row: tableRow(row, table), score: (1 + (shares[index] ?? 0)) / 2 }))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, wanted.limit);
}

const flags = (value: Json | undefined): boolean[] => (Array.isArray(value) ? value.map((each) => each === true) : []);

const matchOf = (row: JsonObject) => ({ found: flags(row["found"]), telling: flags(row["telling"]) });

function fused(near: readonly Scored[], worded: readonly Scored[], table: PostgresTable): KnowledgeHit[] {
  const scoresOf = (scored: readonly Scored[]) => new Map(scored.map(({ row, score }) => [row.id, score]));
  const [semantic, keyword] = [scoresOf(near), scoresOf(worded)];
  const rows = new Map([...worded, ...near].map(({ row }) => [row.id, row]));
  const order = fuseByReciprocalRank([near.map(({ row }) => row.id), worded.map(({ row }) => row.id)]);
  return order.flatMap((id) => {
    const row = rows.get(id);
    if (row === undefined) return [];
    const [semanticScore, keywordScore] = [semantic.get(id) ?? null, keyword.get(id) ?? null];
    const { title, text: content, url, metadata } = row;
    const place = {
      documentId: id,
      document: title,
      heading: "",
      position: 0,
      untrusted: [`the table ${table.table}`],
    };
    return {
      chunkId: rowChunkId(id),
      content,
      score: Math.max(semanticScore ?? 0, keywordScore ?? 0),
      semanticScore,
      keywordScore,
      metadata: { ...metadata, ...(url === "" ? {} : { url }), ...place },
    };
  });
}
