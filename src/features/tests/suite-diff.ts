import { canonicalJson } from "../../engine/canonical-json.ts";
import type { Json } from "../../engine/json.ts";
import type { SuiteContent } from "../../services/services.ts";
import { changeText, type DiffEntry } from "../../ui/data/diff-entry.ts";

/** Fields by name, of settings or of a case. */
type Fields = Readonly<Record<string, Json | undefined>>;

/** What became of a suite between two versions: its settings, then added, removed and changed cases. */
export function describeSuiteDiff(before: SuiteContent, after: SuiteContent): DiffEntry[] {
  const settings = changesOf({ name: before.name, ...before.settings }, { name: after.name, ...after.settings });
  const entries: DiffEntry[] =
    settings.length > 0 ? [{ id: "settings", title: "Settings", mark: "changed", changes: settings }] : [];
  const known = new Map(before.cases.map((one) => [one.id, one]));
  const now = new Set(after.cases.map(({ id }) => id));
  const added = after.cases.filter(({ id }) => !known.has(id));
  const removed = before.cases.filter(({ id }) => !now.has(id));
  entries.push(...added.map(({ id }): DiffEntry => ({ id, title: id, mark: "added", note: "Case", changes: [] })));
  entries.push(...removed.map(({ id }): DiffEntry => ({ id, title: id, mark: "removed", note: "Case", changes: [] })));
  for (const one of after.cases) {
    const was = known.get(one.id);
    const changes = was ? changesOf(fieldsOf(was), fieldsOf(one)) : [];
    if (changes.length > 0) entries.push({ id: one.id, title: one.id, mark: "changed", note: "Case", changes });
  }
  return entries;
}

function changesOf(before: Fields, after: Fields): DiffEntry["changes"] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .filter((name) => canonicalJson(before[name]) !== canonicalJson(after[name]))
    .map((name) => changeText(name, before[name], after[name]));
}

/** A case as its JSON holds it. */
function fieldsOf(one: SuiteContent["cases"][number]): Fields {
  const fields: Record<string, Json> = JSON.parse(JSON.stringify(one));
  return fields;
}
