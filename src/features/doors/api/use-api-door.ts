import { useQuery } from "@tanstack/react-query";
import { apiDoorConfig } from "../../../doors/door-config.ts";
import { publishedInterface } from "../../../doors/published-interface.ts";
import { nodeRegistry } from "../../../nodes/index.ts";
import { useEditor, useServices } from "../../../state/editor/editor-context.tsx";
import type { Publication } from "../../../services/services.ts";
import type { Snippet } from "../program-tabs.tsx";
import { useDoorSwitch } from "../use-door-switch.ts";
import { exampleOf, snippetsOf } from "./snippets.ts";

/** How programs use the open workflow. */
export interface ApiDoor {
  /** Open until somebody closes it: whoever makes a key has said what it is for. */
  enabled: boolean;
  callersTrusted: boolean;
  /** Whether agents reach it as well while it is open. */
  agents: boolean;
  runUrl: string;
  openApiUrl: string;
  /** Absent where the workflow cannot be talked to. */
  openAiUrl: string | undefined;
  /** Of the agent for other agents; absent likewise. */
  agentUrl: string | undefined;
  snippets: Snippet[];
}

/** How programs use the open workflow, and the switch that lets them. */
export function useApiDoor({ slug, live, staging }: Publication) {
  const { workflowId } = useEditor();
  const { doors, publications } = useServices();
  const queryKey = ["door", workflowId, "api", slug, live, staging];

  const door = useQuery({
    queryKey,
    queryFn: async (): Promise<ApiDoor> => {
      const version = live ?? staging;
      const [stored, runUrl, openAiUrl, agentUrl, document] = await Promise.all([
        doors.find(workflowId, "api"),
        doors.address(`/api/run/${slug}`),
        doors.address("/v1"),
        doors.address(`/a2a/${slug}`),
        version === null ? null : publications.document(workflowId, version),
      ]);
      const published = document === null ? null : publishedInterface(document, nodeRegistry);
      const takesMessages = published?.takesMessages === true;
      const input = exampleOf(published?.inputSchema ?? {});
      return {
        enabled: stored?.enabled ?? true,
        ...apiDoorConfig.parse({ ...apiDoorConfig.safeParse(stored?.config ?? {}).data }),
        runUrl,
        openApiUrl: `${runUrl}/openapi.json`,
        openAiUrl: takesMessages ? openAiUrl : undefined,
        agentUrl: takesMessages ? agentUrl : undefined,
        snippets: snippetsOf({ runUrl, openAiUrl, slug, input, takesMessages }),
      };
    },
  });

  const save = useDoorSwitch("api");
  return { door, save };
}
