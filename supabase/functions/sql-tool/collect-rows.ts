import { Buffer } from "node:buffer";
import type { Json } from "../../../src/engine/json.ts";
import type { SqlRow } from "../../../src/nodes/tools/postgres/sql-result.ts";
import type { ByteShare } from "../_shared/byte-budget.ts";
import { parseArrayLiteral } from "./array-literal.ts";
import { decodeValue } from "./decode-value.ts";

/** A column of a result; `type` is Postgres's type id. */
export interface ResultColumn {
  name: string;
  type: number;
}

/** Values longer than this are cut; the model and the log have no use for more. */
const maxCellCharacters = 50_000;
/** Of all rows together, with the columns' names that each of them repeats; what comes after is left out. */
const maxTotalCharacters = 4_000_000;
/** Quotes, comma and colon of a value in the answer, and what it takes in memory besides its text. */
const cellCharacters = 8;

/**
 * Takes rows as they come from the database and keeps them up to a limit of rows and of characters. What does not fit is
 * counted and forgotten, so that no result fills the memory.
 */
export class RowCollector {
  readonly rows: SqlRow[] = [];
  /** How many rows came, kept or not. */
  count = 0;
  truncated = false;
  readonly #limit: number;
  readonly #share: ByteShare | undefined;
  #names: readonly string[] = [];
  #columns: readonly ResultColumn[] = [];
  #characters = 0;
  #isShareFull = false;

  /** `share` counts what the rows take in memory; once it is full, no more are kept. */
  constructor(limit: number, share?: ByteShare) {
    this.#limit = limit;
    this.#share = share;
  }

  describe(columns: readonly ResultColumn[]): void {
    this.#columns = columns;
    this.#names = distinctNames(columns.map(({ name }) => name));
  }

  get isFull(): boolean {
    return this.#isShareFull || this.rows.length >= this.#limit || this.#characters >= maxTotalCharacters;
  }

  add(values: readonly (Uint8Array | null)[]): void {
    this.count += 1;
    if (this.isFull) {
      this.truncated = true;
      return;
    }
    const before = this.#characters;
    for (const name of this.#names) this.#characters += name.length + cellCharacters;
    this.rows.push(
      Object.fromEntries(values.map((value, index) => [this.#names[index] ?? "", this.#cell(value, index)])),
    );
    if (this.#share !== undefined && this.#share.take(this.#characters - before) !== null) this.#isShareFull = true;
  }

  /** Types that only this database knows, of columns whose values look like arrays. */
  get possibleArrays(): number[] {
    const looksSo = (name: string): boolean => this.rows.some((row) => isUncut(row[name]) && /^[{[]/.test(row[name]));
    const types = this.#columns.flatMap(({ type }, index) =>
      type >= firstOwnType && looksSo(this.#names[index] ?? "") ? [type] : [],
    );
    return [...new Set(types)];
  }

  /** Makes lists of the values of these types; their items stay text. */
  readArrays(types: readonly number[]): void {
    for (const [index, { type }] of this.#columns.entries()) {
      const name = this.#names[index] ?? "";
      if (!types.includes(type)) continue;
      for (const row of this.rows) {
        const value = row[name];
        if (isUncut(value)) row[name] = parseArrayLiteral(value, (item) => item);
      }
    }
  }

  #cell(value: Uint8Array | null, index: number): Json {
    if (value === null) return null;
    const text = Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("utf8");
    this.#characters += Math.min(text.length, maxCellCharacters);
    const type = this.#columns[index]?.type ?? 0;
    if (text.length <= maxCellCharacters || type === bytea) return decodeValue(text, type);
    this.truncated = true;
    return `${text.slice(0, maxCellCharacters)}… [cut; ${text.length} characters in all]`;
  }
}

const bytea = 17;
/** Postgres numbers the objects of a database from here on (`FirstNormalObjectId`). */
const firstOwnType = 16_384;

const isUncut = (value: Json | undefined): value is string =>
  typeof value === "string" && value.length <= maxCellCharacters;

/** A statement may name two columns alike; the later ones get a number. */
function distinctNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let distinct = name;
    for (let number = 2; taken.has(distinct); number += 1) distinct = `${name}_${number}`;
    taken.add(distinct);
    return distinct;
  });
}
