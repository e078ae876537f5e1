import { z } from "zod/mini";
import { evaluationSchema } from "../../../evaluation/result/evaluation.ts";
import { trialResultSchema } from "../../../evaluation/run/trial-result.ts";
import type { EvaluationCase } from "../../../evaluation/suite/evaluation-case.ts";
import { isJsonObject } from "../../../engine/json.ts";
import type { RunEvent } from "../../../engine/run/events.ts";
import {
  type EvaluationService,
  ServiceError,
  type StoredEvaluation,
  type StoredSuite,
  type SuiteVersion,
} from "../../../services/services.ts";
import { execute, query } from "../../shared/storage/query.ts";
import type { SupabaseClient } from "../../shared/storage/supabase-client.ts";

const status = z.enum(["running", "passed", "failed", "unchecked", "too-little-evidence", "not-run"]);

const listed = z.object({
  id: z.string(),
  name: z.string(),
  workflowId: z.string(),
  workflowName: z.string(),
  cases: z.coerce.number(),
  lastStatus: z.nullable(status),
  lastAt: z.nullable(z.string()),
});

const suiteRow = z.pipe(
  z.object({
    id: z.string(),
    name: z.string(),
    workflow_id: z.string(),
    settings: z.record(z.string(), z.json()),
    revision: z.number(),
  }),
  z.transform(({ workflow_id, ...suite }): StoredSuite => ({ ...suite, workflowId: workflow_id })),
);

const caseRow = z.object({ id: z.string(), name: z.string(), body: z.record(z.string(), z.json()) });

const summarySchema = z.omit(evaluationSchema, { trials: true });

const evaluationRow = z.pipe(
  z.object({
    id: z.string(),
    digest: z.string(),
    status,
    summary: z.catch(z.nullable(summarySchema), null),
    suite_version: z.nullable(z.number()),
    workflow_revision: z.nullable(z.number()),
    published_version: z.nullable(z.number()),
    created_at: z.string(),
  }),
  z.transform(
    ({ id, digest, status: now, summary, suite_version, workflow_revision, published_version, created_at }) =>
      ({
        id,
        digest,
        measured: { suite: suite_version, workflow: { revision: workflow_revision, published: published_version } },
        status: now,
        summary,
        createdAt: created_at,
      }) satisfies StoredEvaluation,
  ),
);

const versionRow = z.pipe(
  z.object({ version: z.number(), revision: z.number(), case_count: z.number(), created_at: z.string() }),
  z.transform(({ case_count, created_at, ...row }): SuiteVersion => ({
    ...row,
    cases: case_count,
    createdAt: created_at,
  })),
);

const contentRow = z.object({
  name: z.string(),
  settings: z.record(z.string(), z.json()),
  cases: z.array(z.object({ name: z.string(), body: z.record(z.string(), z.json()) })),
});

/** What a case checks brings the expression language along, which is loaded with the first case. */
async function caseReader(): Promise<(row: Pick<z.infer<typeof caseRow>, "name" | "body">) => EvaluationCase> {
  const { caseSchema } = await import("../../../evaluation/suite/evaluation-case.ts");
  return ({ name, body }) => caseSchema.parse({ ...body, id: name });
}

/** Events were written by this studio; that they are envelopes is all that can be checked without stating each again. */
const cassetteRow = z.object({
  cassette: z.nullable(z.array(z.custom<RunEvent>((value) => isJsonObject(value) && typeof value.type === "string"))),
});

const suiteColumns = "id,name,workflow_id,settings,revision";
const evaluationColumns = "id,digest,status,summary,suite_version,workflow_revision,published_version,created_at";
const mostSuites = 500;
const maxCases = 1_000;
const mostTrials = 1_000;
const mostVersions = 500;

const idRows = z.array(z.object({ id: z.string() }));

/** Suites, cases and results in the database. Row level security shows the user their own. */
export function createEvaluationRepository({ database }: Pick<SupabaseClient, "database">): EvaluationService {
  const suites = () => database.from("studio_suites");
  const cases = () => database.from("studio_cases");
  const evaluations = () => database.from("studio_evaluations");
  const trials = () => database.from("studio_trials");
  const versions = () => database.from("studio_suite_versions");
  const gone = (what: string) =>
    new ServiceError("not-found", `This ${what} no longer exists.`, "Go back to the list.");
  const tooManyCases = () =>
    new ServiceError("invalid", `A suite holds at most ${maxCases} cases.`, "Put the others into another suite.");
  const noVersion = () =>
    new ServiceError("not-found", "This version of the suite is no longer kept.", "Choose another one.");

  return {
    list: () => query("list the tests", z.array(listed), database.rpc("studio_list_suites", { p_limit: mostSuites })),

    ofWorkflow: (workflowId) =>
      query(
        "list the tests of the workflow",
        z.array(suiteRow),
        suites().select(suiteColumns).eq("workflow_id", workflowId).order("name").limit(mostSuites),
      ),

    async get(suiteId) {
      const [suite] = await query("open the suite", z.array(suiteRow), suites().select(suiteColumns).eq("id", suiteId));
      if (!suite) throw gone("suite");
      return suite;
    },

    async create({ name, workflowId, settings }) {
      const row = { name, workflow_id: workflowId, settings };
      const [made] = await query("make the suite", z.array(suiteRow), suites().insert(row).select(suiteColumns));
      if (!made) throw gone("suite");
      return made;
    },

    async save(suiteId, changes) {
      const saved = await query("save the suite", idRows, suites().update(changes).eq("id", suiteId).select("id"));
      if (saved.length === 0) throw gone("suite");
    },

    changedByUpdate: () =>
      query(
        "list the tests that check more now",
        z.array(z.object({ id: z.string(), name: z.string() })),
        suites().select("id,name").is("checks_changed", true).order("name").limit(mostSuites),
      ),

    settleUpdate: () =>
      execute("put the notice away", suites().update({ checks_changed: false }).is("checks_changed", true)),

    remove: (suiteId) => execute("delete the suite", suites().delete().eq("id", suiteId)),

    async cases(suiteId) {
      const own = cases().select("id,name,body").eq("suite_id", suiteId).is("removed_at", null);
      const recorded = cases().select("id").eq("suite_id", suiteId).is("removed_at", null).not("cassette", "is", null);
      const [rows, withCassette] = await Promise.all([
        query("list the cases", z.array(caseRow), own.order("created_at").order("name").limit(maxCases)),
        query("list the recordings", idRows, recorded.limit(maxCases)),
      ]);
      const ids = new Set(withCassette.map(({ id }) => id));
      const readCase = await caseReader();
      return rows.map((row) => ({ id: row.id, case: readCase(row), hasCassette: ids.has(row.id) }));
    },

    async addCases(suiteId, added) {
      const held = cases().select("id").eq("suite_id", suiteId).is("removed_at", null).limit(maxCases);
      if ((await query("count the cases", idRows, held)).length + added.length > maxCases) throw tooManyCases();
      const startedAt = Date.now();
      const rows = added.map(({ case: one, cassette }, index) => ({
        // Cases are listed in the order in which they came.
        created_at: new Date(startedAt + index).toISOString(),
        suite_id: suiteId,
        name: one.id,
        body: bodyOf(one),
        cassette: cassette ?? null,
      }));
      const answer = await cases().insert(rows);
      if (answer.error?.code === "23505") {
        throw new ServiceError("conflict", "The suite has a case of this name.", "Give it another name.");
      }
      await execute("add the case", Promise.resolve(answer));
    },

    async saveCase(caseId, changed) {
      const answer = await cases()
        .update({ name: changed.id, body: bodyOf(changed) })
        .eq("id", caseId);
      if (answer.error?.code === "23505") {
        throw new ServiceError("conflict", "The suite has a case of this name.", "Give it another name.");
      }
      await execute("save the case", Promise.resolve(answer));
    },

    removeCase: (caseId) => execute("delete the case", database.rpc("studio_remove_case", { p_case_id: caseId })),

    async cassette(caseId) {
      const [row] = await query(
        "read the recording",
        z.array(cassetteRow),
        cases().select("cassette").eq("id", caseId),
      );
      return row?.cassette ?? [];
    },

    versions: (suiteId) =>
      query(
        "list the versions",
        z.array(versionRow),
        versions()
          .select("version,revision,case_count,created_at")
          .eq("suite_id", suiteId)
          .order("version", { ascending: false })
          .limit(mostVersions),
      ),

    async version(suiteId, version) {
      const own = versions().select("name,settings,cases").eq("suite_id", suiteId).eq("version", version);
      const [found] = await query("open the version", z.array(contentRow), own);
      if (!found) throw noVersion();
      const readCase = await caseReader();
      return { ...found, cases: found.cases.map(readCase) };
    },

    async restoreVersion(suiteId, version) {
      const answer = await database.rpc("studio_restore_suite_version", { p_suite_id: suiteId, p_version: version });
      if (answer.error?.message.includes("suite_version_not_found") === true) throw noVersion();
      if (answer.error?.message.includes("suite_not_found") === true) throw gone("suite");
      return query("restore the suite", z.number(), Promise.resolve(answer));
    },

    removeVersion: (suiteId, version) =>
      execute("delete the version", versions().delete().eq("suite_id", suiteId).eq("version", version)),

    async begin({ id, revision }, digest, workflow) {
      const answer = await database.rpc("studio_begin_evaluation", {
        p_suite_id: id,
        p_digest: digest,
        p_suite_revision: revision,
        p_workflow_revision: workflow.revision,
        p_published_version: workflow.published,
      });
      const said = answer.error?.message ?? "";
      if (said.includes("suite_not_found")) throw gone("suite");
      if (said.includes("suite_changed"))
        throw new ServiceError("conflict", "The suite was changed in another tab.", "Run it again, as it is now.");
      if (said.includes("suite_too_large"))
        throw new ServiceError(
          "invalid",
          "The cases are too large to be kept as a version of the suite.",
          "Together they may have 20 MB, recordings not counted: divide the suite in two.",
        );
      return query("begin the evaluation", evaluationRow, Promise.resolve(answer));
    },

    addTrial: (evaluationId, result) =>
      execute(
        "store the trial",
        trials().upsert({
          evaluation_id: evaluationId,
          variant: result.variant,
          case_name: result.caseId,
          trial: result.trial,
          result,
        }),
      ),

    finish: (evaluationId, summary) =>
      execute("store the result", evaluations().update({ status: summary.status, summary }).eq("id", evaluationId)),

    evaluations: (suiteId, limit) =>
      query(
        "list the results",
        z.array(evaluationRow),
        evaluations()
          .select(evaluationColumns)
          .eq("suite_id", suiteId)
          .order("created_at", { ascending: false })
          .limit(limit),
      ),

    async trials(evaluationId) {
      const rows = z.array(z.object({ result: trialResultSchema }));
      const found: z.infer<typeof trialResultSchema>[] = [];
      // A page at a time, by what tells trials apart.
      for (;;) {
        const request = trials()
          .select("result")
          .eq("evaluation_id", evaluationId)
          .order("trial")
          .order("case_name")
          .order("variant")
          .range(found.length, found.length + mostTrials - 1);
        const page = await query("read the trials", rows, request);
        found.push(...page.map(({ result }) => result));
        if (page.length < mostTrials) return found;
      }
    },
  };
}

/** A case as its row holds it: the name stands beside, and so does the recording. */
function bodyOf({ id: _id, cassette: _cassette, ...body }: EvaluationCase) {
  return body;
}
