import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";

export const objectOf = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});
export const textOf = (value: Json | undefined, usual = ""): string =>
  typeof value === "string" ? value : typeof value === "number" || typeof value === "boolean" ? String(value) : usual;
