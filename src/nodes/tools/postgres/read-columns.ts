import { z } from "zod/mini";
import type { Json } from "../../../engine/json.ts";
import { orderBySchema } from "./sql-request.ts";

/** A list of columns from lines, from text with commas, or as the model gives it; `*` where it names none. */
export function readColumns(value: unknown): string[] {
  const list = Array.isArray(value) ? value.flat() : [value];
  const names = list.flatMap((one) => (typeof one === "string" ? splitNames(one) : []));
  return names.length === 0 ? ["*"] : names;
}

/** Names at their commas; a comma within double quotes belongs to its name. */
function splitNames(text: string): string[] {
  const names = text.match(/(?:"[^"]*"|[^,"])+/g) ?? [];
  return names.map((name) => name.trim()).filter((name) => name !== "");
}

/** The sorting of a request: from text such as `created_at desc, id`, or as the model gives it. */
export function readOrderBy(value: unknown): Json {
  if (typeof value === "string") {
    return splitNames(value).map((part) => {
      const [, column = part, direction = "asc"] = /^(.*?)\s+(asc|desc)$/i.exec(part) ?? [];
      return { column: column.replace(/^"(.*)"$/, "$1"), direction: direction.toLowerCase() };
    });
  }
  const read = z.array(orderBySchema).safeParse(value);
  return read.success ? read.data : [];
}
