import { z } from "zod/mini";
import { type McpInput, mcpDoorConfig, mcpInputOf, usualMcpDescription } from "../../../../src/doors/mcp-door.ts";
import { DoorProblem, problems } from "../../_shared/door-problem.ts";
import { type Door, doorSchema, findDoor } from "../../_shared/door-runs.ts";
import { interfaceOf } from "../../_shared/published-version.ts";
import type { PublishedInterface } from "../../../../src/doors/published-interface.ts";
import type { SupabaseClient } from "../../_shared/supabase-client.ts";
import type { ApiKey } from "../run/api-key.ts";

/** A published workflow as an MCP client sees it; its name is the slug. */
export interface McpTool {
  door: Door;
  /** The live version. */
  version: number;
  description: string;
  input: McpInput;
  published: PublishedInterface;
}

const doorsSchema = z.array(doorSchema);

/**
 * The tools at an address: the workflow of a slug, or without one all that the key may run. Only workflows whose owner offers
 * them over MCP. Throws DoorProblem where the slug names none for this key.
 */
export async function mcpToolsFor(slug: string | undefined, key: ApiKey, supabase: SupabaseClient): Promise<McpTool[]> {
  if (slug === undefined) {
    const found = await supabase.callAsService("studio_mcp_doors", { p_owner: key.owner }, "reads");
    const tools = doorsSchema.parse(found).filter((door) => key.mayRun(door.slug));
    return (await Promise.all(tools.map((door) => toolOf(door, supabase)))).filter((tool) => tool !== null);
  }
  const door = key.mayRun(slug) ? await findDoor(supabase, slug, "mcp") : null;
  const isOpen = door !== null && door.owner === key.owner && door.slug === slug && door.enabled === true;
  const tool = isOpen ? await toolOf(door, supabase) : null;
  if (tool === null) throw new DoorProblem(problems.notFound("MCP server"));
  return [tool];
}

async function toolOf(door: Door, supabase: SupabaseClient): Promise<McpTool | null> {
  const config = mcpDoorConfig.safeParse(door.config);
  if (door.live === null || !config.success) return null;
  const published = await interfaceOf(supabase, door.workflowId, door.live);
  const description = config.data.description || usualMcpDescription(door.name, published.takesMessages);
  return { door, version: door.live, description, input: mcpInputOf(published), published };
}
