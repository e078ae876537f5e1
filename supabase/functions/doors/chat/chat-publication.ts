import { type ChatDoorConfig, chatDoorConfig, framingSites } from "../../../../src/doors/chat-door.ts";
import { type DoorCall, sha256 } from "../../_shared/door.ts";
import { DoorProblem, type Problem, problems } from "../../_shared/door-problem.ts";
import { type Door, findDoor, withOpenSecrets } from "../../_shared/door-runs.ts";
import type { FunctionContext } from "../../_shared/endpoint.ts";

/** The chat page that a call is for. */
export interface ChatPublication {
  workflowId: string;
  owner: string;
  slug: string;
  name: string;
  version: number;
  config: ChatDoorConfig;
  passwordHash: string | undefined;
  signingSecret: string | undefined;
  /** Of how visitors are let in; a session holds as long as it stays the same. */
  accessHash: string;
  limits: Door["limits"];
}

/**
 * The publication of a call's path, and leave for its page to read the answer. Calls come from the chat page, whose sandbox gives
 * it the origin `null`, from sites that the owner has listed, and from programs. Throws DoorProblem: 404 where there is no page
 * or it is switched off, 403 for pages of other origins.
 */
export async function openChat(call: DoorCall, context: FunctionContext): Promise<ChatPublication> {
  const slug = call.params["slug"] ?? "";
  const door = /^[a-z0-9-]{1,60}$/.test(slug) ? await findDoor(context.supabase, slug, "chat") : null;
  const config = chatDoorConfig.safeParse(door?.config);
  if (door === null || door.slug !== slug || door.enabled !== true || door.live === null || !config.success) {
    throw new DoorProblem(problems.notFound("chat"));
  }
  const { access } = config.data;
  if (call.origin !== null) {
    if (call.origin !== "null" && !framingSites(config.data).includes(call.origin))
      throw new DoorProblem(foreignOrigin);
    call.allowOrigin();
  }
  const { passwordHash, signingSecret } = (await withOpenSecrets(context, door, "chat")).secrets;
  const secret = access === "password" ? passwordHash : access === "signed" ? signingSecret : "";
  return {
    workflowId: door.workflowId,
    owner: door.owner,
    slug,
    name: door.name,
    version: door.live,
    config: config.data,
    passwordHash,
    signingSecret,
    limits: door.limits,
    accessHash: await sha256(`${access} ${secret ?? ""}`),
  };
}

const foreignOrigin: Problem = {
  status: 403,
  code: "origin_not_allowed",
  title: "Origin not allowed",
  detail: "This chat is not for pages of this site.",
};
