import { type Challenge, createChallenge, randomInt, verifySolution } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/web/pbkdf2";
import type { ChatWork } from "../../../../src/doors/chat-api.ts";
import { sha256, takeDoorLimit } from "../../_shared/door.ts";
import { DoorProblem, type Problem } from "../../_shared/door-problem.ts";
import type { FunctionContext } from "../../_shared/endpoint.ts";
import type { ChatPublication } from "./chat-publication.ts";

/** Iterations of one try, and how many tries a browser makes until it finds the right one: about a second on a desktop. */
const cost = 1_000;
const triesAllowed = { fewest: 400, most: 1_200 };
/** Seconds. Less than the minute for which a solved challenge is remembered, so that none serves twice. */
const lifetime = 55;

/** A challenge of proof of work that a browser solves before it may open a session of this page. */
export async function makeChallenge(chat: ChatPublication, context: FunctionContext): Promise<Challenge> {
  return createChallenge({
    algorithm: "PBKDF2/SHA-256",
    cost: cost,
    counter: randomInt(triesAllowed.most, triesAllowed.fewest),
    deriveKey,
    expiresAt: Math.floor(Date.now() / 1_000) + lifetime,
    data: { page: chat.workflowId },
    ...(await secretsOf(context)),
  });
}

/** Throws DoorProblem, 403, unless a challenge of this page was solved in time and is used for the first time. */
export async function checkWork(
  chat: ChatPublication,
  work: ChatWork | undefined,
  context: FunctionContext,
): Promise<void> {
  if (work === undefined) throw new DoorProblem(workMissing);
  const { challenge, solution } = work;
  const checked = await verifySolution({ challenge, solution, deriveKey, ...(await secretsOf(context)) }).catch(
    () => null,
  );
  if (checked?.verified !== true || challenge.parameters.data?.["page"] !== chat.workflowId) {
    throw new DoorProblem(workMissing);
  }
  const { wait } = await takeDoorLimit(context.supabase, `chat work ${challenge.parameters.nonce}`, 1);
  if (wait > 0) throw new DoorProblem(workMissing);
}

async function secretsOf({ environment }: FunctionContext) {
  const secret = (of: string) => sha256(`chat ${of} ${environment.serviceRoleKey}`);
  return { hmacSignatureSecret: await secret("challenge"), hmacKeySignatureSecret: await secret("solution") };
}

const workMissing: Problem = {
  status: 403,
  code: "work_required",
  title: "Proof of work required",
  detail: "Your browser has to solve a small task before the first message, and did not, or took too long. Try again.",
};
