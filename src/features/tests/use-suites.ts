import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useStore } from "zustand";
import type { TrialResult } from "../../evaluation/run/trial-result.ts";
import type { EvaluationCase } from "../../evaluation/suite/evaluation-case.ts";
import type { RunEvent } from "../../engine/run/events.ts";
import type { StoredCase, StoredSuite } from "../../services/services.ts";
import { useServices } from "../../services/services-context.tsx";
import { useDialogMutation } from "../../ui/overlays/use-dialog-mutation.ts";
import { showError, showToast } from "../../ui/feedback/toast.tsx";
import { openSuite } from "../../state/evaluation/open-suite.ts";
import { storeImported, type SuiteToStore } from "./import-suite.ts";
import { runSuite, suiteRuns } from "./run-suite.ts";
import { labelTrial, readTrials, trialsKey } from "./trial-labels.ts";

type NewSuite = Pick<StoredSuite, "name" | "workflowId" | "settings">;

interface NewCase {
  case: EvaluationCase;
  cassette?: readonly RunEvent[];
}

const all = ["suites"];

/** The account's suites, the latest change first. */
export function useSuites() {
  const { evaluations } = useServices();
  return useQuery({ queryKey: all, queryFn: () => evaluations.list() });
}

/** Suites that an update checks more strictly, until their owner has seen them named. */
export function useChangedSuites() {
  const { evaluations } = useServices();
  return useQuery({
    queryKey: [...all, "changed by update"],
    queryFn: () => evaluations.changedByUpdate(),
    staleTime: Infinity,
    retry: false,
  });
}

/** The suites of one workflow. */
export function useSuitesOf(workflowId: string) {
  const { evaluations } = useServices();
  return useQuery({ queryKey: [...all, "of", workflowId], queryFn: () => evaluations.ofWorkflow(workflowId) });
}

/** A suite with its cases and its workflow. */
export function useSuite(suiteId: string) {
  const services = useServices();
  return useQuery({ queryKey: [...all, suiteId], queryFn: () => openSuite(services, suiteId) });
}

/** The last evaluations of a suite, each with its trials. */
export function useEvaluations(suiteId: string) {
  const { evaluations } = useServices();
  return useQuery({
    queryKey: [...all, suiteId, "evaluations"],
    queryFn: () => evaluations.evaluations(suiteId, 20),
  });
}

/** The versions of a suite, the newest first. */
export function useSuiteVersions(suiteId: string) {
  const { evaluations } = useServices();
  return useQuery({ queryKey: [...all, suiteId, "versions"], queryFn: () => evaluations.versions(suiteId) });
}

/** What one version of a suite holds. */
export function useSuiteContent(suiteId: string, version: number) {
  const { evaluations } = useServices();
  return useQuery({
    queryKey: [...all, suiteId, "versions", version],
    queryFn: () => evaluations.version(suiteId, version),
  });
}

export function useTrials(evaluationId: string | undefined) {
  const { evaluations } = useServices();
  return useQuery({
    queryKey: trialsKey(evaluationId),
    queryFn: () => (evaluationId === undefined ? [] : readTrials(evaluations, evaluationId)),
    enabled: evaluationId !== undefined,
  });
}

/** The evaluation of a suite that runs in this tab. */
export function useSuiteRun(suiteId: string) {
  return useStore(suiteRuns, ({ runs }) => runs[suiteId]);
}

/** Reads everything about suites again. */
export function useRefreshSuites() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: all });
}

/** Everything that changes suites and cases. */
export function useSuiteChanges() {
  const services = useServices();
  const { evaluations } = services;
  const queries = useQueryClient();
  const refresh = useRefreshSuites();
  const onError = (error: Error) => showError(error);
  const create = useDialogMutation({
    save: (suite: NewSuite) => evaluations.create(suite),
    refresh,
  });
  const settleUpdate = useMutation({
    mutationFn: () => evaluations.settleUpdate(),
    onSuccess: () => queries.setQueryData([...all, "changed by update"], []),
    onError,
  });
  const storeImport = useDialogMutation({
    save: ({ workflowId, suite }: { workflowId: string; suite: SuiteToStore }) =>
      storeImported(evaluations, workflowId, suite),
    onSaved: (_id, { suite }) => showToast(`“${suite.name}” is imported`, {}, "success"),
    refresh,
  });
  const save = useMutation({
    mutationFn: ({ id, ...changes }: Partial<Pick<StoredSuite, "name" | "settings">> & { id: string }) =>
      evaluations.save(id, changes),
    async onSuccess() {
      await refresh();
      showToast("The suite is saved", {}, "success");
    },
    onError,
  });
  const remove = useDialogMutation({ save: (id: string) => evaluations.remove(id), refresh });
  const addCases = useDialogMutation({
    save: ({ suiteId, cases }: { suiteId: string; cases: readonly NewCase[] }) => evaluations.addCases(suiteId, cases),
    refresh,
  });
  const saveCase = useDialogMutation({
    save: ({ id, changed }: { id: string; changed: EvaluationCase }) => evaluations.saveCase(id, changed),
    refresh,
  });
  const putBack = useMutation({
    mutationFn: ({ suiteId, kept }: { suiteId: string; kept: NewCase }) => evaluations.addCases(suiteId, [kept]),
    onSuccess: refresh,
    onError,
  });
  const removeCase = useMutation({
    async mutationFn({ suiteId, row }: { suiteId: string; row: StoredCase }) {
      const cassette = row.hasCassette ? await evaluations.cassette(row.id) : undefined;
      await evaluations.removeCase(row.id);
      const kept = { case: row.case, ...(cassette ? { cassette } : {}) };
      showToast(`“${row.case.id}” is deleted`, {
        action: { label: "Undo", onClick: () => putBack.mutate({ suiteId, kept }) },
      });
    },
    onSuccess: refresh,
    onError,
  });
  const restoreVersion = useMutation({
    mutationFn: ({ suiteId, version }: { suiteId: string; version: number }) =>
      evaluations.restoreVersion(suiteId, version),
    async onSuccess(before, { suiteId, version }) {
      await refresh();
      showToast(`The suite is as in version ${version} again`, {
        hint: `How it stood before is version ${before}.`,
        action: { label: "Undo", onClick: () => restoreVersion.mutate({ suiteId, version: before }) },
      });
    },
    onError,
  });
  const removeVersion = useMutation({
    mutationFn: ({ suiteId, version }: { suiteId: string; version: number }) =>
      evaluations.removeVersion(suiteId, version),
    onSuccess: refresh,
    onError,
  });
  const showStored = (suiteId: string) => {
    const ended = suiteRuns.getState().runs[suiteId];
    // They need not be read again.
    if (ended) queries.setQueryData<readonly TrialResult[]>(trialsKey(ended.evaluationId), ended.results);
    return refresh();
  };
  const run = useMutation({
    mutationFn: ({ suiteId, resume }: { suiteId: string; resume: boolean }) =>
      runSuite(services, suiteId, { resume, attended: true, onStored: () => showStored(suiteId) }),
    onSettled: refresh,
    onError,
  });
  const label = useMutation({ ...labelTrial(queries, evaluations), onError });
  return {
    create,
    settleUpdate,
    storeImport,
    save,
    remove,
    addCases,
    saveCase,
    removeCase,
    restoreVersion,
    removeVersion,
    run,
    label,
  };
}
