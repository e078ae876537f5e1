import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { doorConfigs } from "../../doors/door-config.ts";
import { toolsThatAsk } from "../../engine/publish/door-exposure.ts";
import { type DoorKind, doorKinds } from "../../engine/trust/run-sources.ts";
import { useEditor, useServices } from "../../state/editor/editor-context.tsx";
import type { PublishTrustProps } from "../../state/publication/publish-trust.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { showError } from "../../ui/feedback/toast.tsx";
import { CallersFill } from "./callers/callers-fill.tsx";
import { DoorExposure } from "./door-exposure.tsx";

/** What publishing should know of strangers: how they could get private data out, and which tools will ask once they count as strangers. */
export function PublishTrust({ bundle, publication, live }: PublishTrustProps) {
  const { workflowId, registry } = useEditor();
  const { doors, apiKeys } = useServices();
  const slug = publication?.slug;
  const { data: open = [] } = useQuery({
    queryKey: ["door", workflowId, "open", slug],
    queryFn: async () => {
      const [stored, keys] = await Promise.all([doors.list(workflowId), apiKeys.list()]);
      const scopes = keys.filter(({ revokedAt }) => revokedAt === null).flatMap((key) => key.scopes);
      const hasKey = scopes.some((scope) => scope === "run:*" || scope === `run:${slug}`);
      return doorKinds.filter((kind) => {
        const door = stored.find((one) => one.kind === kind);
        if (doorConfigs[kind].safeParse(door?.config ?? {}).data?.callersTrusted === true) return false;
        return kind === "api" ? hasKey && door?.enabled !== false : door?.enabled === true;
      });
    },
  });
  const asking = toolsThatAsk(bundle.document, registry);
  const tools = asking.map(({ title }) => title);
  return (
    <>
      {open.map((door: DoorKind) => (
        <DoorExposure key={door} document={bundle.document} door={door} />
      ))}
      {live !== undefined && !live.marksCallers && tools.length > 0 && (
        <ToolsWillAsk tools={tools} live={live.version} />
      )}
      {asking.length > 0 && <CallersFill tools={asking} />}
    </>
  );
}

/** For a live version from before callers were told apart. */
function ToolsWillAsk({ tools, live }: { tools: readonly string[]; live: number }) {
  const { workflowId } = useEditor();
  const { publications } = useServices();
  const queries = useQueryClient();
  const mark = useMutation({
    mutationFn: () => publications.markCallers(workflowId, live),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["published-versions", workflowId] }),
    onError: (error: unknown) => showError(error),
  });
  return (
    <Notice
      tone="warning"
      title="Callers will count as strangers"
      action={
        <Button size="sm" busy={mark.isPending} onClick={() => mark.mutate()}>
          Apply to the live version now
        </Button>
      }
    >
      <p>
        Visitors of the chat page do already. From the next version on, so do callers of the API, the webhook and MCP,
        unless you trust them under <em>Where it runs</em>. After what they send,{" "}
        {tools.length === 1 ? "this tool asks" : "these tools ask"} you first, or {tools.length === 1 ? "is" : "are"}{" "}
        refused where nobody can be asked:
      </p>
      <ul className="list-disc pl-5 text-ink">
        {tools.map((title, index) => (
          <li key={index}>{title}</li>
        ))}
      </ul>
    </Notice>
  );
}
