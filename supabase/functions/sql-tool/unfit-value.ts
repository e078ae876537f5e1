import type { OwnValue } from "./own-values.ts";

/** A column of a table as the catalog describes it; `type` as Postgres writes it, such as `numeric(12,2)`. */
export interface KnownColumn {
  name: string;
  type: string;
}

/** A value of the request that does not fit its place, and the type of that place where it is known. */
export interface UnfitValue {
  own: OwnValue;
  type: string | undefined;
}

/** How the languages that Postgres speaks write quotation marks. */
const quotes = [
  ['"', '"'],
  ["»", "«"],
  ["«\u00a0", "\u00a0»"],
  ["«", "»"],
  ["„", "“"],
  ["“", "”"],
] as const;

/**
 * The value that the database objects to: one that its message quotes, else one that is longer or larger than its column
 * allows. Undefined where that cannot be told.
 */
export function findUnfitValue(
  message: string,
  sqlState: string,
  values: readonly OwnValue[],
  columns: readonly KnownColumn[],
): UnfitValue | undefined {
  const typeOf = (own: OwnValue): string | undefined =>
    "column" in own ? columns.find(({ name }) => name === own.column)?.type : undefined;
  const placed = values.map((own) => ({ own, type: typeOf(own) }));
  switch (sqlState) {
    case "22001":
      return placed.find(({ own, type }) => isTooLong(textOf(own), type));
    case "22003":
      return (
        placed.find(({ own }) => isQuoted(message, textOf(own))) ??
        placed.find(({ own, type }) => isTooLarge(own, type))
      );
    case "22P02":
    case "22007":
    case "22008":
      return placed.find(({ own, type }) => isQuoted(message, textOf(own)) && !isText(type));
    default:
      return undefined;
  }
}

const isText = (type: string | undefined): boolean => type !== undefined && /^(text|character|json)/.test(type);

function isQuoted(message: string, text: string): boolean {
  return quotes.some(([open, close]) => message.includes(`${open}${text}${close}`));
}

/** More characters than `character varying(3)` or `character(3)` says. */
function isTooLong(text: string, type: string | undefined): boolean {
  const longest = /^(?:character|bit)[a-z ]*\((\d+)\)/.exec(type ?? "")?.[1];
  return longest !== undefined && [...text].length > Number(longest);
}

/** More digits before the point than `numeric(12,2)` leaves. */
function isTooLarge(own: OwnValue, type: string | undefined): boolean {
  const [, precision, scale] = /^numeric\((\d+),(-?\d+)\)/.exec(type ?? "") ?? [];
  return precision !== undefined && Math.abs(Number(own.value)) >= 10 ** (Number(precision) - Number(scale));
}

/** As it goes to the database. */
export function textOf({ value }: OwnValue): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
