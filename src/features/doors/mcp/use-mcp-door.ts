import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type McpDoorConfig, mcpDoorConfig, usualMcpDescription } from "../../../doors/mcp-door.ts";
import { publishedInterface } from "../../../doors/published-interface.ts";
import { nodeRegistry } from "../../../nodes/index.ts";
import { useEditor, useServices } from "../../../state/editor/editor-context.tsx";
import type { Publication } from "../../../services/services.ts";
import { showError, showToast } from "../../../ui/feedback/toast.tsx";

/** The open workflow as a tool of MCP clients. */
export interface McpDoor {
  enabled: boolean;
  config: McpDoorConfig;
  /** What clients read while the owner has described nothing. */
  usualDescription: string;
  /** Of a server with this workflow alone. */
  address: string;
  /** Of a server with all workflows that a key may run. */
  sharedAddress: string;
}

/** How MCP clients use the open workflow, and what changes it. */
export function useMcpDoor({ slug, live }: Publication, name: string) {
  const { workflowId } = useEditor();
  const { doors, publications } = useServices();
  const queries = useQueryClient();

  const door = useQuery({
    queryKey: ["door", workflowId, "mcp", slug, live, name],
    queryFn: async (): Promise<McpDoor> => {
      const [stored, address, sharedAddress, document] = await Promise.all([
        doors.find(workflowId, "mcp"),
        doors.address(`/mcp/${slug}`),
        doors.address("/mcp"),
        live === null ? null : publications.document(workflowId, live),
      ]);
      const config = mcpDoorConfig.safeParse(stored?.config ?? {});
      const takesMessages = document !== null && publishedInterface(document, nodeRegistry).takesMessages;
      return {
        enabled: stored?.enabled === true && config.success,
        config: config.success ? config.data : mcpDoorConfig.parse({}),
        usualDescription: usualMcpDescription(name, takesMessages),
        address,
        sharedAddress,
      };
    },
  });

  const save = useMutation({
    mutationFn: (change: { enabled: boolean; config: McpDoorConfig }) => doors.save(workflowId, "mcp", change),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ["door", workflowId] });
      showToast("MCP settings saved");
    },
    onError: (error) => showError(error),
  });

  return { door, save };
}
