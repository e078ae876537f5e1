import { type ImportedPart, type ImportedSuite } from "../../evaluation/import/imported-suite.ts";
import { type EvaluationCase, readCaseList } from "../../evaluation/suite/evaluation-case.ts";
import { readSuite } from "../../evaluation/suite/suite.ts";
import type { JsonObject } from "../../engine/json.ts";
import type { EvaluationService } from "../../services/services.ts";

/** What is stored of another tool's config; the workflow is chosen by a person. */
export interface SuiteToStore {
  /** Empty where the config has none. */
  name: string;
  settings: JsonObject;
  cases: readonly EvaluationCase[];
}

/** An imported suite as the studio stores it, or what does not fit. */
export function suiteToStore({
  suite,
  cases,
}: ImportedSuite): { ok: true; made: SuiteToStore } | { ok: false; problems: string[] } {
  const { name = "", workflow: _workflow, dataset: _dataset, ...settings } = suite;
  const read = readSuite(suite);
  if (!read.ok) return read;
  if (cases.length === 0) {
    const hasAssertions = read.suite.defaultAssert.length > 0;
    return hasAssertions
      ? { ok: true, made: { name: String(name), settings, cases: [] } }
      : { ok: false, problems: ["There are no cases and no assertions in it. Put the tests into the file."] };
  }
  const list = readCaseList(JSON.stringify(cases));
  return list.ok ? { ok: true, made: { name: String(name), settings, cases: list.cases } } : list;
}

/** Stores a suite with its cases, both or neither; gives its id. Rejects with a ServiceError. */
export async function storeImported(
  evaluations: Pick<EvaluationService, "create" | "addCases" | "remove">,
  workflowId: string,
  { name, settings, cases }: SuiteToStore,
): Promise<string> {
  const { id } = await evaluations.create({ name, workflowId, settings });
  if (cases.length === 0) return id;
  try {
    await evaluations.addCases(
      id,
      cases.map((one) => ({ case: one })),
    );
    return id;
  } catch (error) {
    // Why the cases are not stored matters more than why the empty suite stays.
    await evaluations.remove(id).catch(() => undefined);
    throw error;
  }
}

/** Parts of a config that came to the same, told once. */
export interface PartGroup {
  what: string;
  note: string;
  places: readonly string[];
}

/** The parts with this outcome, equal ones together, in the order of the file. */
export function partGroups(parts: readonly ImportedPart[], outcome: ImportedPart["outcome"]): PartGroup[] {
  const groups = new Map<string, { what: string; note: string; places: string[] }>();
  for (const part of parts) {
    if (part.outcome !== outcome) continue;
    const key = JSON.stringify([part.what, part.note]);
    const group = groups.get(key);
    if (group) group.places.push(part.place);
    else groups.set(key, { what: part.what, note: part.note, places: [part.place] });
  }
  return [...groups.values()];
}
