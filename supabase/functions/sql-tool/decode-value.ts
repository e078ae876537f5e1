import { readJson, type Json } from "../../../src/engine/json.ts";
import { parseArrayLiteral } from "./array-literal.ts";

/** Numbers of the built-in types, from Postgres's own catalog `pg_type.dat`: an array's and its element's. */
const arrays: ReadonlyMap<number, number> = new Map([
  [1000, 16],
  [1001, 17],
  [1005, 21],
  [1007, 23],
  [1016, 20],
  [1021, 700],
  [1022, 701],
  [1231, 1700],
  [1009, 25],
  [1015, 1043],
  [1014, 1042],
  [1002, 18],
  [1003, 19],
  [1028, 26],
  [199, 114],
  [3807, 3802],
  [1182, 1082],
  [1183, 1083],
  [1270, 1266],
  [1115, 1114],
  [1185, 1184],
  [1187, 1186],
  [2951, 2950],
  [1041, 869],
  [651, 650],
]);

/**
 * A value as Postgres writes it in text, as JSON without loss: see `sql-result.ts`. What has no JSON of its own, such as
 * ranges, enums and types of extensions, stays text; arrays of such types are read once the database has said that they are some.
 */
export function decodeValue(text: string, type: number): Json {
  switch (type) {
    case 16:
      return text === "t";
    case 20:
    case 21:
    case 23:
    case 26: {
      const number = Number(text);
      return Number.isSafeInteger(number) ? number : text;
    }
    case 700:
    case 701: {
      const number = Number(text);
      return Number.isFinite(number) ? number : text;
    }
    case 114:
    case 3802:
      return readJson(text);
    case 1114:
      return text.replace(/^(\d{4,}-\d\d-\d\d) /, "$1T");
    case 1184:
      return text.replace(/^(\d{4,}-\d\d-\d\d) (.*?)\+00$/, "$1T$2Z");
    case 17:
      return { bytea: `${Math.max(0, (text.length - 2) / 2)} bytes`, start: text.slice(2, 66) };
    default: {
      const element = arrays.get(type);
      return element === undefined ? text : parseArrayLiteral(text, (item) => decodeValue(item, element));
    }
  }
}
