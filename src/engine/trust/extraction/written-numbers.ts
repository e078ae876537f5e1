import { isJsonObject, type Json } from "../../json.ts";

/** "1.200,50", "1 200,50", "1'200.50" and "12,50", with a currency before or behind. */
const european =
  /(?<![\p{L}\d.,'’])-?(?:\d{1,3}(?:[.'’ \u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?|\d+,\d{1,2})(?![\d'’]|[.,]\d)/gu;

/** The numbers of a value's texts that are written as in German, French and Spanish, each as it stands there. */
export function writtenNumbers(value: Json): Map<number, string> {
  return new Map(
    textsIn(value).flatMap((text) =>
      [...text.matchAll(european)].map(([written]): [number, string] => [asNumber(written), written]),
    ),
  );
}

function asNumber(written: string): number {
  const [, whole = "", decimals = ""] = /^(.*?)(?:[.,](\d{1,2}))?$/u.exec(written) ?? [];
  return Number(`${whole.replaceAll(/[.'’ \u00a0\u202f]/gu, "")}.${decimals || "0"}`);
}

function textsIn(value: Json): string[] {
  if (typeof value === "string") return [value];
  const members = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
  return members.flatMap(textsIn);
}
