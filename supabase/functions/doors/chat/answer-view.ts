import { agentType } from "../../../../src/nodes/agent/agent-type.ts";
import { z } from "zod/mini";
import { fileLinkSeconds, makeFileLink } from "../../_shared/files/file-link.ts";
import type { FunctionContext } from "../../_shared/endpoint.ts";
import type { AnswerView } from "./answer-events.ts";
import type { ChatPublication } from "./chat-publication.ts";

const graph = z.object({
  nodes: z.record(z.string(), z.object({ type: z.string() })),
  edges: z.record(z.string(), z.object({ from: z.object({ node: z.string(), port: z.string() }) })),
});

/** Published versions never change. */
const known = new Map<string, ReadonlySet<string>>();
const mostKnown = 200;

/**
 * An agent speaks to the visitor where nothing comes after it: what an earlier one says is for the nodes that follow, which may
 * check it, shorten it or leave it out.
 */
export async function answerView(
  chat: ChatPublication,
  version: number,
  context: FunctionContext,
): Promise<AnswerView> {
  const key = `${chat.workflowId} ${version}`;
  const speakers = known.get(key) ?? (await readSpeakers(chat.workflowId, version, context));
  if (known.size >= mostKnown) known.clear();
  known.set(key, speakers);
  return { speaks: (nodeId) => speakers.has(nodeId), namesSteps: chat.config.steps === "named", link: linker(context) };
}

/** Gives files the links by which a visitor's page shows them. */
export function linker({ environment }: Pick<FunctionContext, "environment">): AnswerView["link"] {
  return (files, run) =>
    Promise.all(
      files.map(async ({ $file, name, mediaType, size }) => {
        const url = await makeFileLink({ run, file: $file }, environment, fileLinkSeconds.chat);
        return { id: $file, name, mediaType, size, url };
      }),
    );
}

async function readSpeakers(
  workflowId: string,
  version: number,
  { supabase }: FunctionContext,
): Promise<ReadonlySet<string>> {
  const read = { p_workflow_id: workflowId, p_version: version };
  const document = graph.safeParse(await supabase.callAsService("studio_read_published", read, "reads"));
  if (!document.success) return new Set();
  const { nodes, edges } = document.data;
  const followed = new Set(Object.values(edges).flatMap(({ from }) => (from.port === "main" ? [from.node] : [])));
  const agents = Object.entries(nodes).flatMap(([id, { type }]) => (type === agentType ? [id] : []));
  return new Set(agents.filter((id) => !followed.has(id)));
}
