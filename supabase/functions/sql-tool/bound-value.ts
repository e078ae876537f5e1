import type { Json } from "../../../src/engine/json.ts";
import { JsonLimitError, parseJson } from "../_shared/json-scan.ts";

/** Numbers of the built-in types, from Postgres's own catalog `pg_type.dat`. */
const jsonTypes: readonly number[] = [114, 3802];
const textTypes: readonly number[] = [18, 19, 25, 1042, 1043];
const bytea = 17;
const othersOfTheDriver: readonly number[] = [16, 17, 20, 21, 23, 26, 700, 701, 1082, 1114, 1184];

/**
 * A value on its way to the database. The database says which type it expects in each place, and the value is written as
 * text for that type: JSON for a json column, `{…}` for an array, and everything else as it is.
 */
export class BoundValue {
  readonly value: Json;

  constructor(value: Json) {
    this.value = value;
  }

  /** What a json column or a text takes. A text given for a json column is JSON text already, if it is any at all. */
  asJson(): string {
    if (typeof this.value === "string" && isJson(this.value)) return this.value;
    return JSON.stringify(this.value);
  }

  toJSON(): Json {
    return this.value;
  }

  asText(): string {
    return typeof this.value === "object" ? JSON.stringify(this.value) : String(this.value);
  }

  /** For every other type, those that only this database knows included: a list becomes an array. */
  toString(): string {
    if (Array.isArray(this.value)) return arrayLiteral(this.value);
    return this.asText();
  }
}

/** How the driver writes values, in the place of its own rules, which turn dates and numbers into JavaScript's. */
export const valueTypes = {
  json: typeOf(jsonTypes, (value) => value.asJson()),
  text: typeOf(textTypes, (value) => value.asText()),
  others: typeOf(othersOfTheDriver, (value) => value.toString()),
};

function typeOf(oids: readonly number[], write: (value: BoundValue) => string) {
  return {
    to: oids[0] ?? bytea,
    from: [...oids],
    serialize: (value: BoundValue) => write(value),
    parse: (text: string) => new BoundValue(text),
  };
}

function arrayLiteral(values: readonly Json[]): string {
  const items = values.map((value) => {
    if (value === null) return "NULL";
    if (Array.isArray(value)) return arrayLiteral(value);
    const text = typeof value === "object" ? JSON.stringify(value) : String(value);
    return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
  });
  return `{${items.join(",")}}`;
}

function isJson(text: string): boolean {
  try {
    parseJson(text);
    return true;
  } catch (error) {
    // What is too large to be looked at goes as it is; the database says whether it is JSON.
    return error instanceof JsonLimitError;
  }
}
