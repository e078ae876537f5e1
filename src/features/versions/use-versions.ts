import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { replaceDocument } from "../../state/editing/replace-document.ts";
import { useEditor, useServices } from "../../state/editor/editor-context.tsx";
import type { RememberedSuite, VersionSummary } from "../../services/services.ts";
import { usePages } from "../../state/shared/use-pages.ts";
import { showError, showToast } from "../../ui/feedback/toast.tsx";
import { useDialogMutation } from "../../ui/overlays/use-dialog-mutation.ts";
import { versionTitle } from "./version-text.ts";

/** The versions of the open workflow and what can be done with them. */
export function useVersions() {
  const { workflowId, document: store, autosave } = useEditor();
  const { versions, evaluations } = useServices();
  const queries = useQueryClient();
  const listKey = ["versions", workflowId];
  const refresh = () => queries.invalidateQueries({ queryKey: listKey });
  const onError = (error: unknown) => showError(error);

  const list = usePages(listKey, (request) => versions.page(workflowId, request), { size: 100 });

  const keep = useDialogMutation({
    save: (name: string) => {
      const { document, revision } = store.getState();
      return versions.keep(document, { name, reason: "manual", revision });
    },
    refresh,
  });

  const rename = useMutation({
    mutationFn: ({ id, name }: { id: string; name: string }) => versions.rename(id, name),
    onSuccess: refresh,
    onError,
  });

  const remove = useMutation({
    mutationFn: ({ id }: VersionSummary) => versions.remove(id),
    onSuccess: refresh,
    onError,
  });

  /**
   * The present state is kept as a version first, so that a restore loses nothing even after undo is gone. `suites` are put back, too;
   * their present state becomes a version of each. Whoever leaves before the version is there keeps the workflow as it is; gives
   * whether it was restored.
   */
  const restore = useDialogMutation({
    save: async (
      { version, suites }: { version: VersionSummary; suites: readonly RememberedSuite[] },
      isOpen: () => boolean,
    ) => {
      const earlier = await versions.document(version.id);
      if (!isOpen()) return false;
      const { document, revision } = store.getState();
      await versions.keep(document, { reason: "restore", revision });
      if (!isOpen()) return false;
      store.getState().edit(`Restore ${versionTitle(version)}`, (draft) => replaceDocument(draft, earlier));
      void autosave.flush();
      for (const suite of suites) await evaluations.restoreVersion(suite.id, suite.version);
      return true;
    },
    refresh: () => void refresh(),
    onSaved: (restored, { version, suites }) => {
      if (!restored) {
        showToast(`${versionTitle(version)} was not restored`, {
          hint: "The version history was closed before the version had loaded.",
        });
        return;
      }
      if (suites.length > 0) void queries.invalidateQueries({ queryKey: ["suites"] });
      const hint =
        suites.length > 0 ? { hint: "Its tests, too. Undo leaves them; each suite has versions of its own." } : {};
      showToast(`Restored ${versionTitle(version)}`, {
        ...hint,
        action: { label: "Undo", onClick: () => void store.getState().undo() },
      });
    },
  });

  return { list, keep, rename, remove, restore };
}

/** The workflow as it was in one version. */
export function useVersionDocument(id: string | undefined) {
  const { versions } = useServices();
  return useQuery({
    queryKey: ["version-document", id],
    queryFn: () => versions.document(id ?? ""),
    enabled: id !== undefined,
    staleTime: Infinity,
  });
}

/** The suites that the workflow has now; those of before are told from them by their revisions. */
export function useSuitesNow() {
  const { workflowId } = useEditor();
  const { evaluations } = useServices();
  return useQuery({ queryKey: ["suites", "of", workflowId], queryFn: () => evaluations.ofWorkflow(workflowId) });
}

export type Versions = ReturnType<typeof useVersions>;
