import { useQuery } from "@tanstack/react-query";
import { nobodyApproves } from "../../engine/host.ts";
import type { JsonObject } from "../../engine/json.ts";
import { RunError, type RunErrorData } from "../../engine/errors.ts";
import type { McpOffers } from "../../nodes/tools/mcp/list-offers.ts";
import type { AppDocument } from "../../nodes/tools/mcp/app-document.ts";
import { type McpSession, openMcpSession } from "../../nodes/tools/mcp/mcp-session.ts";
import type { McpTool } from "../../nodes/tools/mcp/tool-pin.ts";
import { useEditor, useServices } from "../../state/editor/editor-context.tsx";

/** An interface of the server's tools, or why it cannot be read. */
export interface ListedApp {
  uri: string;
  document?: AppDocument;
  problem?: RunErrorData;
}

/** A server with more is no reason to ask it all day. */
const mostApps = 50;

async function listApps(session: McpSession, signal: AbortSignal): Promise<ListedApp[]> {
  const uris = [...new Set(session.tools.flatMap(({ app }) => (app?.uri === undefined ? [] : [app.uri])))];
  return Promise.all(
    uris.slice(0, mostApps).map(async (uri): Promise<ListedApp> => {
      try {
        return { uri, document: await session.readApp(uri, signal) };
      } catch (error) {
        if (!(error instanceof RunError)) throw error;
        return { uri, problem: error.data };
      }
    }),
  );
}

/** What a server said that it has. */
interface McpListing {
  server: { name: string; version: string };
  tools: McpTool[];
  /** Names of tools that cannot be read. */
  leftOut: string[];
  apps: ListedApp[];
  /** Absent when it did not tell, and then why. */
  offers?: McpOffers;
  problem?: RunErrorData;
}

export const textOf = (config: JsonObject, name: string) =>
  typeof config[name] === "string" ? config[name].trim() : "";

/**
 * What the server of an MCP node has, for all fields that choose from it. It is asked only by `list`, which a person
 * calls: a server that nobody approved hears nothing.
 */
export function useMcpListing(config: JsonObject) {
  const { workflowId } = useEditor();
  const services = useServices();
  const connection = { url: textOf(config, "url"), credential: textOf(config, "credential") };
  const listing = useQuery({
    // A list of another server says nothing about this one.
    queryKey: ["mcp-server", workflowId, connection],
    enabled: false,
    retry: false,
    staleTime: Infinity,
    queryFn: async ({ signal }): Promise<McpListing> => {
      const host = services.createHost({ workflowId, approve: nobodyApproves });
      const session = await openMcpSession(host, connection, signal);
      const { server, tools, leftOut } = session;
      let apps: ListedApp[] = [];
      try {
        apps = await listApps(session, signal);
        return { server, tools, leftOut, apps, offers: await session.listOffers(signal) };
      } catch (error) {
        if (!(error instanceof RunError)) throw error;
        return { server, tools, leftOut, apps, problem: error.data };
      } finally {
        await session.close();
      }
    },
  });
  return {
    listed: listing.isError ? undefined : listing.data,
    isListing: listing.isFetching,
    error: listing.error,
    isNamed: connection.url !== "" || connection.credential !== "",
    list: () => void listing.refetch(),
  };
}
