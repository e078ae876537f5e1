import type { JsonObject } from "../json.ts";
import { schemaVersion } from "./workflow-document.ts";

/** What each schema version needs to become the next: index 0 brings version 0 (none written) to version 1. */
const migrations: readonly ((document: JsonObject) => JsonObject)[] = [
  (document) => ({ ...document, schemaVersion: 1 }),
];

/**
 * Brings a document of any older schema version to the present one, step by step. A document without a version counts
 * as hand-written for the present schema. Newer ones are refused, since what they mean is not known here.
 */
export function migrateDocument(
  document: JsonObject,
): { ok: true; document: JsonObject; notes: string[] } | { ok: false; problem: string } {
  const written = document.schemaVersion ?? 0;
  if (typeof written !== "number" || !Number.isInteger(written) || written < 0) {
    return { ok: false, problem: `"schemaVersion" must be a whole number.` };
  }
  if (written > schemaVersion) {
    return {
      ok: false,
      problem: `The workflow was made by a newer Switchyard (schema ${written}, here ${schemaVersion}). Update Switchyard to open it.`,
    };
  }
  let current = document;
  for (const migrate of migrations.slice(written)) current = migrate(current);
  const notes =
    document.schemaVersion !== undefined && written < schemaVersion
      ? [`The workflow was updated from schema ${written} to ${schemaVersion}.`]
      : [];
  return { ok: true, document: current, notes };
}
