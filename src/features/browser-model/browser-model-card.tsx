import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { NodeRecord } from "../../engine/document/workflow-document.ts";
import { nobodyApproves } from "../../engine/host.ts";
import { mapBrowserError } from "../../providers/browser/map-error.ts";
import { useEditor, useServices } from "../../state/editor/editor-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { stateWords } from "./state-text.ts";

/** Says whether this browser has its model, and downloads it: browsers want a click for that. */
export function BrowserModelCard({ node }: { node: NodeRecord }) {
  const { workflowId } = useEditor();
  const services = useServices();
  const [share, setShare] = useState(0);
  const language = typeof node.config["language"] === "string" ? node.config["language"].trim() : "en";
  const open = () => services.createHost({ workflowId, approve: nobodyApproves }).browserModel?.();
  const found = useQuery({
    queryKey: ["browser-model", language],
    queryFn: async () => (await (await open())?.state({ language })) ?? "missing",
    staleTime: 0,
  });
  const download = useMutation({
    mutationFn: async () => {
      const { signal } = new AbortController();
      setShare(0);
      try {
        const session = await (await open())?.open({ language, messages: [], signal, onDownload: setShare });
        session?.close();
      } catch (error) {
        const { message, hint } = mapBrowserError(error, signal);
        throw new Error(`${message} ${hint}`, { cause: error });
      }
    },
    onSettled: () => found.refetch(),
  });
  if (found.data === undefined) return null;
  const words = stateWords(download.isPending ? "downloading" : found.data, language);
  const isThere = found.data === "available";
  return (
    <div className="mb-4 flex flex-col gap-2">
      <Notice
        tone={words.tone}
        title={words.title}
        action={
          found.data === "downloadable" && !download.isPending ? (
            <Button size="sm" onClick={() => download.mutate()}>
              Download
            </Button>
          ) : undefined
        }
      >
        {words.detail}
        {download.isPending && (
          <progress
            className="mt-2 block h-1.5 w-full accent-accent"
            aria-label="Download of the browser's model"
            value={share}
            max={1}
          />
        )}
      </Notice>
      {download.error !== null && !isThere && <Notice tone="danger" title={download.error.message} />}
    </div>
  );
}
