import { isJsonObject, type Json } from "../../../engine/json.ts";

/*
 * Apart from what reads templates, since definitions of nodes need it and are loaded with the editor; the expression engine is
 * not.
 */

/** Whether a field says nothing of its own: nothing, blanks, an empty list or object, or every column. */
export function saysNothing(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === "string") return value.trim() === "" || value.trim() === "*";
  if (Array.isArray(value)) return value.length === 0 || (value.length === 1 && value[0] === "*");
  return isJsonObject(value) && Object.keys(value).length === 0;
}
