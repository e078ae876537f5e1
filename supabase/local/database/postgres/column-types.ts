import type { PostgresType } from "postgres";
import { readArray, writeArray } from "./array-text.ts";

interface ColumnType {
  /** By what Postgres calls the types in its protocol, and the arrays of each. */
  oids: readonly [type: number, array: number][];
  parse(text: string): unknown;
  serialize(value: unknown): string;
}

const asText = (value: unknown) => (value instanceof Date ? value.toISOString() : String(value));
const unchanged = (text: string) => text;

/** The types whose arrays are read as arrays, too; other arrays are read as Postgres writes them. */
const types: Record<string, ColumnType> = {
  bool: { oids: [[16, 1000]], parse: (text) => text === "t", serialize: String },
  bytea: {
    oids: [[17, 1001]],
    parse: (text) => new Uint8Array(Buffer.from(text.slice(2), "hex")),
    serialize: (value) => (value instanceof Uint8Array ? `\\x${Buffer.from(value).toString("hex")}` : String(value)),
  },
  int8: { oids: [[20, 1016]], parse: readBigInt, serialize: String },
  number: {
    oids: [
      [21, 1005],
      [23, 1007],
      [26, 1028],
      [700, 1021],
      [701, 1022],
    ],
    parse: Number,
    serialize: String,
  },
  text: {
    oids: [
      [18, 1002],
      [19, 1003],
      [25, 1009],
      [1042, 1014],
      [1043, 1015],
      [2950, 2951],
    ],
    parse: unchanged,
    serialize: String,
  },
  json: {
    oids: [
      [114, 199],
      [3802, 3807],
    ],
    parse: (text) => JSON.parse(text),
    serialize: (value) => (typeof value === "string" ? value : JSON.stringify(value)),
  },
  time: {
    oids: [
      [1082, 1182],
      [1083, 1183],
      [1114, 1115],
      [1266, 1270],
    ],
    parse: unchanged,
    serialize: asText,
  },
  timestamptz: { oids: [[1184, 1185]], parse: isoTimestamp, serialize: asText },
  numeric: { oids: [[1700, 1231]], parse: readNumeric, serialize: String },
};

/** How values are read and written: as the embedded database does, so that the API answers alike on both. */
export const columnTypes: Record<string, PostgresType> = Object.fromEntries(
  Object.entries(types).flatMap(([name, { oids, parse, serialize }]) => [
    [name, { to: oids[0]?.[0] ?? 0, from: oids.map(([type]) => type), parse, serialize }],
    [
      `${name}[]`,
      {
        to: oids[0]?.[1] ?? 0,
        from: oids.map(([, array]) => array),
        parse: (text: string) => readArray(text, parse),
        serialize: (value: unknown) => writeArray(value, serialize),
      },
    ],
  ]),
);

function readBigInt(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

/** A number where it is the same number, else the digits. */
function readNumeric(text: string): number | string {
  const number = Number(text);
  return Number.isFinite(number) && String(number) === text ? number : text;
}

/** As PostgREST writes it (the session runs in UTC); Postgres' own form is no ISO date. */
export function isoTimestamp(text: string): string {
  return text.replace(" ", "T").replace(/\+00$/, "+00:00");
}
