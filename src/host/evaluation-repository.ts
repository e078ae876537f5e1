import { z } from "zod";
import { evaluationSchema } from "../engine/evaluation/result/evaluation.ts";
import { trialResultSchema } from "../engine/evaluation/run/trial-result.ts";
import { caseSchema, type EvaluationCase } from "../engine/evaluation/suite/evaluation-case.ts";
import { isJsonObject } from "../engine/json.ts";
import type { RunEvent } from "../engine/run/events.ts";
import { type EvaluationService, ServiceError, type StoredEvaluation, type StoredSuite } from "../services/services.ts";
import { execute, query } from "./query.ts";
import type { SupabaseClient } from "./supabase-client.ts";

const status = z.enum(["running", "passed", "failed", "too-little-evidence", "not-run"]);

const listed = z.object({
  id: z.string(),
  name: z.string(),
  workflowId: z.string(),
  workflowName: z.string(),
  cases: z.coerce.number(),
  lastStatus: status.nullable(),
  lastAt: z.string().nullable(),
});

const suiteRow = z
  .object({ id: z.string(), name: z.string(), workflow_id: z.string(), settings: z.record(z.string(), z.json()) })
  .transform(({ id, name, workflow_id, settings }): StoredSuite => ({ id, name, workflowId: workflow_id, settings }));

const caseRow = z.object({ id: z.string(), name: z.string(), body: z.record(z.string(), z.json()) });

const summarySchema = evaluationSchema.omit({ trials: true });

const evaluationRow = z
  .object({
    id: z.string(),
    digest: z.string(),
    status,
    summary: summarySchema.nullable().catch(null),
    created_at: z.string(),
  })
  .transform(({ created_at, ...row }): StoredEvaluation => ({ ...row, createdAt: created_at }));

/** Events were written by this studio; that they are envelopes is all that can be checked without stating each again. */
const cassetteRow = z.object({
  cassette: z.array(z.custom<RunEvent>((value) => isJsonObject(value) && typeof value.type === "string")).nullable(),
});

const suiteColumns = "id,name,workflow_id,settings";
const evaluationColumns = "id,digest,status,summary,created_at";
const mostSuites = 500;
const mostCases = 1_000;
const mostTrials = 1_000;

/** Suites, cases and results in the database. Row level security shows the user their own. */
export function createEvaluationRepository({ database }: Pick<SupabaseClient, "database">): EvaluationService {
  const suites = () => database.from("studio_suites");
  const cases = () => database.from("studio_cases");
  const evaluations = () => database.from("studio_evaluations");
  const trials = () => database.from("studio_trials");
  const gone = (what: string) =>
    new ServiceError("not-found", `This ${what} no longer exists.`, "Go back to the list.");

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
      const ids = z.array(z.object({ id: z.string() }));
      const saved = await query("save the suite", ids, suites().update(changes).eq("id", suiteId).select("id"));
      if (saved.length === 0) throw gone("suite");
    },

    remove: (suiteId) => execute("delete the suite", suites().delete().eq("id", suiteId)),

    async cases(suiteId) {
      const own = cases().select("id,name,body").eq("suite_id", suiteId);
      const recorded = cases().select("id").eq("suite_id", suiteId).not("cassette", "is", null);
      const [rows, withCassette] = await Promise.all([
        query("list the cases", z.array(caseRow), own.order("created_at").order("name").limit(mostCases)),
        query("list the recordings", z.array(z.object({ id: z.string() })), recorded.limit(mostCases)),
      ]);
      const ids = new Set(withCassette.map(({ id }) => id));
      return rows.map(({ id, name, body }) => ({
        id,
        case: caseSchema.parse({ ...body, id: name }),
        hasCassette: ids.has(id),
      }));
    },

    async addCases(suiteId, added) {
      const rows = added.map(({ case: one, cassette }) => ({
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

    removeCase: (caseId) => execute("delete the case", cases().delete().eq("id", caseId)),

    async cassette(caseId) {
      const [row] = await query(
        "read the recording",
        z.array(cassetteRow),
        cases().select("cassette").eq("id", caseId),
      );
      return row?.cassette ?? [];
    },

    async begin(suiteId, digest) {
      const row = { suite_id: suiteId, digest };
      const rows = z.array(evaluationRow);
      const [made] = await query("begin the evaluation", rows, evaluations().insert(row).select(evaluationColumns));
      if (!made) throw gone("suite");
      return made;
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
