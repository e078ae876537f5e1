import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { suggestSlug } from "../../../engine/publish/slug.ts";
import { useEditor, useServices } from "../../../state/editor/editor-context.tsx";
import { editorDialogStore } from "../../../state/editor/editor-dialog-store.ts";
import type { PublicationLimits, PublishRequest, PublishTarget } from "../../../services/services.ts";
import { usePages } from "../../../state/shared/use-pages.ts";
import { useDialogMutation } from "../../../ui/overlays/use-dialog-mutation.ts";
import { showError, showToast } from "../../../ui/feedback/toast.tsx";

const { show: showDialog } = editorDialogStore.getState();

const keys = {
  publication: (workflowId: string) => ["publication", workflowId],
  versions: (workflowId: string) => ["published-versions", workflowId],
  // Those of the live version are others with each.
  schedules: (workflowId: string) => ["schedules", workflowId],
};

/** What is published of the open workflow; null when it never was. */
export function usePublication() {
  const { workflowId } = useEditor();
  const { publications } = useServices();
  return useQuery({
    queryKey: keys.publication(workflowId),
    queryFn: async () => (await publications.find(workflowId)) ?? null,
  });
}

/** An address for a workflow that has none yet, made of its name and free at this moment. */
export function useFreeSlug(name: string | undefined) {
  const { publications } = useServices();
  const wished = suggestSlug(name ?? "");
  return useQuery({
    queryKey: ["free-slug", wished],
    // The server has the last word when the workflow is published.
    queryFn: () => publications.freeSlug(wished).catch(() => wished),
    enabled: name !== undefined,
    gcTime: 0,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
}

/** The workflow as it was published; of no version while it is null. */
export function usePublishedDocument(version: number | null) {
  const { workflowId } = useEditor();
  const { publications } = useServices();
  return useQuery({
    queryKey: ["published-document", workflowId, version],
    queryFn: () => publications.document(workflowId, version ?? 0),
    enabled: version !== null,
    staleTime: Infinity,
  });
}

/** The published versions, page after page, the latest first. */
export function usePublishedVersions() {
  const { workflowId } = useEditor();
  const { publications } = useServices();
  return usePages(keys.versions(workflowId), (request) => publications.versions(workflowId, request), { size: 100 });
}

/** What was just published, and where it is. */
export interface Published {
  version: number;
  /** No new version was made: the one before is the same. */
  unchanged: boolean;
  target: PublishTarget;
}

const targetWords: Record<PublishTarget, string> = { live: "live", staging: "in staging" };

/** What is said of it. */
export function publishedText({ version, unchanged, target }: Published): { title: string; hint?: string } {
  const title = `Version ${version} is ${targetWords[target]}`;
  return unchanged ? { title, hint: "Nothing has changed since it was published." } : { title };
}

/** Says it to whoever has left the dialog meanwhile; the message leads to where it runs, and outlives the page of the workflow. */
export function useSayPublished(): (published: Published) => void {
  const { workflowId } = useEditor();
  const [, navigate] = useLocation();
  const showWhere = () => {
    const path = `/w/${workflowId}`;
    if (window.location.pathname !== path) navigate(path);
    showDialog({ kind: "publish", tab: "where" });
  };
  return (published) => {
    const { title, hint } = publishedText(published);
    showToast(title, {
      ...(hint !== undefined && { hint }),
      action: { label: "Where it runs", onClick: showWhere },
      durationMs: 10_000,
    });
  };
}

/** Everything that changes what is published of the open workflow. */
export function usePublishing() {
  const { workflowId } = useEditor();
  const { publications } = useServices();
  const queries = useQueryClient();
  const refresh = () =>
    Promise.all(Object.values(keys).map((keyOf) => queries.invalidateQueries({ queryKey: keyOf(workflowId) })));
  const onError = (error: unknown) => showError(error);

  const publish = useDialogMutation({
    save: (request: PublishRequest) => publications.publish(request),
    showsError: true,
    refresh: () => void refresh(),
  });

  const point = useMutation({
    mutationFn: ({ target, version }: { target: PublishTarget; version: number | null }) =>
      publications.point(workflowId, target, version),
    onSuccess: (_nothing, { target, version }) => {
      void refresh();
      const what = version === null ? "Nothing" : `Version ${version}`;
      showToast(`${what} is ${targetWords[target]}${version === null ? " any more" : ""}`);
    },
    onError,
  });

  const setLimits = useMutation({
    mutationFn: (limits: PublicationLimits) => publications.setLimits(workflowId, limits),
    onSuccess: () => {
      void refresh();
      showToast("Limits saved");
    },
    onError,
  });

  return { publish, point, setLimits };
}

export type Publishing = ReturnType<typeof usePublishing>;
