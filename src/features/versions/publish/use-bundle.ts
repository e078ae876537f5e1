import { useQuery } from "@tanstack/react-query";
import { bundleWorkflow, type BundleResult } from "../../../engine/publish/bundle.ts";
import { sha256 } from "../../../state/shared/sha256.ts";
import { useEditor, useServices } from "../../../state/editor/editor-context.tsx";
import { describeSaveState } from "../../../state/document/save-state.ts";
import { ServiceError } from "../../../services/services.ts";
import { isUnderMoneyLimit } from "../../../state/publication/uncounted-models.ts";
import { createWorkflowLoader } from "../../../state/document/workflow-loader.ts";

/** The open workflow as it would be published: saved first, with all that it runs, or what is in the way. */
export function useBundle() {
  const { workflowId, document: store, registry, autosave } = useEditor();
  const { workflows, publications, apiKeys } = useServices();
  return useQuery({
    queryKey: ["bundle", workflowId],
    queryFn: async (): Promise<{ result: BundleResult; revision: number }> => {
      await autosave.flush();
      const { document, revision, saveState } = store.getState();
      if (saveState.status !== "saved") {
        const hint = "A version is made from the saved workflow. Try again once it is saved.";
        throw new ServiceError("conflict", `The workflow is not saved: ${describeSaveState(saveState)}.`, hint);
      }
      const isLimited = await isUnderMoneyLimit(workflowId, { publications, apiKeys });
      const options = { registry, workflows: createWorkflowLoader(workflows), limitsMoney: isLimited, sha256 };
      return { result: await bundleWorkflow(document, options), revision };
    },
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
    refetchOnWindowFocus: false,
  });
}
