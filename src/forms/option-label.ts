import type { FieldDescription } from "../engine/config/describe-fields.ts";

/** Names that are written in their own way. */
const names: ReadonlyMap<string, string> = new Map([
  ["json", "JSON"],
  ["csv", "CSV"],
  ["docx", "Word"],
  ["eml", "Email"],
  ["epub", "EPUB"],
  ["html", "HTML"],
  ["msg", "Email of Outlook"],
  ["ods", "OpenDocument sheet"],
  ["odt", "OpenDocument text"],
  ["pdf", "PDF"],
  ["pptx", "PowerPoint"],
  ["rtf", "Rich Text"],
  ["xlsx", "Excel"],
  ["xml", "XML"],
]);

/** A choice as people read it: `once` → "Once", `max_rounds` → "Max rounds"; names in capitals such as POST stay. */
export function optionLabel(option: string, titles: FieldDescription["optionTitles"] = {}): string {
  const name = Object.hasOwn(titles, option) ? titles[option] : names.get(option);
  if (name !== undefined) return name;
  if (option === "" || /^[^a-z]+$/.test(option)) return option;
  const words = option.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/[_-]+/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
}
