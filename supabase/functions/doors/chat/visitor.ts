import { jwtVerify } from "jose/jwt/verify";
import { z } from "zod/mini";
import type { OpenSession } from "../../../../src/doors/chat-api.ts";
import { base64url, isBrowserTicket } from "../../_shared/browser-ticket.ts";
import { visitorHeader } from "../../_shared/caller-address.ts";
import { isPageToken } from "../../_shared/page-token.ts";
import { isPassword } from "../../../../src/doors/password-hash.ts";
import { type DoorCall, sha256, takeDoorLimit } from "../../_shared/door.ts";
import { DoorProblem, type Problem, problems, refusals } from "../../_shared/door-problem.ts";
import { visitorTokenIn } from "../../_shared/door-paths.ts";
import type { FunctionContext } from "../../_shared/endpoint.ts";
import type { FunctionEnvironment } from "../../_shared/function-environment.ts";
import type { ChatPublication } from "./chat-publication.ts";

/**
 * Tries a minute to enter one page from one network: usually, where nobody can be told apart since all come from a proxy on this
 * machine, and while more tries than `crowd` come to the page from everywhere, as when many networks guess together.
 */
const triesAllowed = { network: 10, loopback: 100, crowded: 3 };
const crowd = 100;
const day = 86_400;
/** Seconds by which the clocks of two machines may differ. */
const clockTolerance = 5;
/** How far ahead an embedding site may vouch for somebody. */
const longestVoucher = day;

/**
 * Lets a visitor in and gives the token of a new session. Who they are is decided here, by the page's access: a new person each
 * time where nobody is asked, the account, or whom the embedding site has signed for. Throws DoorProblem: 401, 403, 429.
 */
export async function enterChat(
  chat: ChatPublication,
  proof: OpenSession,
  call: DoorCall,
  context: FunctionContext,
): Promise<string> {
  const pageHash = await servedPage(chat, proof.page, call, context);
  const { subject, seconds } = await admit(chat, proof, call, context);
  const token = newToken();
  const opened = await context.supabase.callAsService("studio_chat_open", {
    p_workflow_id: chat.workflowId,
    p_subject: subject,
    p_hash: await sha256(token),
    p_access_hash: chat.accessHash,
    // Whom a site vouches for is asked each time.
    p_browser_hash: chat.config.access === "signed" ? null : await browserHash(chat, proof.browser, context),
    p_seconds: seconds,
    p_page_hash: pageHash,
  });
  if (opened !== true) throw new DoorProblem(pageExpired);
  return token;
}

/**
 * The hash of the token with which a page was served. Every page without an origin of its own says `Origin: null`, on whatever site it is, so
 * that alone is nobody: behind the gateway it has to bring such a token. Null where none is asked for: listed sites and programs say
 * who they are, and a static host makes none. Throws DoorProblem, 403.
 */
async function servedPage(
  { slug }: ChatPublication,
  token: string | undefined,
  { origin, network }: DoorCall,
  { environment: { isBehindGateway, serviceRoleKey } }: FunctionContext,
): Promise<string | null> {
  if (origin !== "null" || !isBehindGateway) return null;
  const of = { slug, network, serviceKey: serviceRoleKey, now: Date.now() / 1_000 };
  if (token === undefined || !(await isPageToken(token, of))) throw new DoorProblem(pageExpired);
  return sha256(`page ${token}`);
}

/** The token of another session of the visitor whose browser it is; null where that has none. */
export async function resumeChat(
  chat: ChatPublication,
  browser: string,
  context: FunctionContext,
): Promise<string | null> {
  const hash = await browserHash(chat, browser, context);
  if (hash === null) return null;
  const token = newToken();
  const resumed = await context.supabase.callAsService("studio_chat_resume", {
    p_workflow_id: chat.workflowId,
    p_browser_hash: hash,
    p_access_hash: chat.accessHash,
    p_hash: await sha256(token),
  });
  return resumed === true ? token : null;
}

/** Ends the call's session, and what its browser could resume. */
export async function leaveChat(call: DoorCall, chat: ChatPublication, { supabase }: FunctionContext): Promise<void> {
  const token = visitorTokenIn(call.request.headers) ?? "";
  await supabase.callAsService("studio_chat_leave", { p_workflow_id: chat.workflowId, p_hash: await sha256(token) });
}

async function browserHash(
  { slug }: ChatPublication,
  browser: string | undefined,
  { environment }: FunctionContext,
): Promise<string | null> {
  if (browser === undefined || !(await isBrowserTicket(browser, slug, environment.serviceRoleKey))) return null;
  return sha256(`browser ${browser}`);
}

const newToken = (): string => `cs_${base64url(crypto.getRandomValues(new Uint8Array(32)))}`;

/** Whose call it is, by the token of a session that was opened for this publication. Throws DoorProblem: 401. */
export async function visitorOf(call: DoorCall, chat: ChatPublication, { supabase }: FunctionContext): Promise<string> {
  const token = visitorTokenIn(call.request.headers);
  if (token === undefined) throw new DoorProblem(refusals.unknownSession);
  const found = await supabase.callAsService(
    "studio_chat_subject",
    { p_workflow_id: chat.workflowId, p_hash: await sha256(token), p_access_hash: chat.accessHash },
    "reads",
  );
  if (typeof found !== "string") throw new DoorProblem(refusals.unknownSession);
  return found;
}

/** What the agents of a publication remember a visitor's conversations under; the conversation's id follows. */
export async function memoryPrefix({ workflowId }: ChatPublication, subject: string): Promise<string> {
  return `chat:${workflowId}:${(await sha256(subject)).slice(0, 24)}:`;
}

interface Admitted {
  subject: string;
  seconds: number;
}

async function admit(
  chat: ChatPublication,
  proof: OpenSession,
  call: DoorCall,
  context: FunctionContext,
): Promise<Admitted> {
  const { access } = chat.config;
  // Whoever could guess a signature needs no door.
  if (access === "password" || access === "account") await takeTry(chat, call, context);
  switch (access) {
    case "public":
      return { subject: `visitor ${crypto.randomUUID()}`, seconds: 30 * day };
    case "password":
      if (!(await isPassword(proof.password ?? "", chat.passwordHash ?? "", crypto)))
        throw new DoorProblem(wrongPassword);
      return { subject: `visitor ${crypto.randomUUID()}`, seconds: 30 * day };
    case "account":
      return { subject: `account ${await signIn(proof, call, context.environment)}`, seconds: 7 * day };
    case "signed":
      return { subject: `signed ${await vouchedFor(proof.identity, chat)}`, seconds: day };
    default:
      return access satisfies never;
  }
}

async function takeTry(
  { workflowId }: ChatPublication,
  { network }: DoorCall,
  context: FunctionContext,
): Promise<void> {
  const take = (name: string, perMinute: number) => takeDoorLimit(context.supabase, name, perMinute);
  const refuse = (wait: number): void => {
    if (wait > 0) throw new DoorProblem(problems.tooMany(`Too many tries. Try again in ${wait} seconds.`, wait));
  };
  if (network === "loopback") {
    return refuse((await take(`chat entry ${workflowId} ${network}`, triesAllowed.loopback)).wait);
  }
  refuse((await take(`chat entry ${workflowId} ${network}`, triesAllowed.network)).wait);
  // What one network is refused does not count here, so that it cannot make things harder for the others.
  const { wait } = await take(`chat entry ${workflowId}`, crowd);
  if (wait > 0) refuse((await take(`chat entry in a crowd ${workflowId} ${network}`, triesAllowed.crowded)).wait);
}

/** The auth API behind our gateway counts wrong passwords by network; without this all visitors would be one, the functions. */
function onBehalfOf(
  { network }: DoorCall,
  { isBehindGateway, serviceRoleKey }: FunctionEnvironment,
): Record<string, string> {
  return isBehindGateway ? { apikey: serviceRoleKey, [visitorHeader]: network } : {};
}

const signedIn = z.object({ access_token: z.string(), user: z.object({ id: z.uuid() }) });

/** The id of the account that an address and a password open. The account's own session ends here; nothing of it goes to the page. */
async function signIn(
  { email, password }: OpenSession,
  call: DoorCall,
  environment: FunctionEnvironment,
): Promise<string> {
  const { supabaseUrl, anonKey } = environment;
  const headers = { apikey: anonKey, "content-type": "application/json" };
  const response = await fetch(`${supabaseUrl}/auth/v1/token?grant_type=password`, {
    method: "POST",
    headers: { ...headers, ...onBehalfOf(call, environment) },
    body: JSON.stringify({ email: email ?? "", password: password ?? "" }),
    redirect: "error",
  });
  const answer = signedIn.safeParse(await response.json().catch(() => null));
  if (response.status === 429) throw new DoorProblem(problems.tooMany("Too many tries. Try again in a minute.", 60));
  if (response.status >= 500) throw new DoorProblem(problems.unavailable);
  if (!response.ok || !answer.success) throw new DoorProblem(wrongAccount);
  const { access_token, user } = answer.data;
  const left = await fetch(`${supabaseUrl}/auth/v1/logout?scope=local`, {
    method: "POST",
    headers: { ...headers, authorization: `Bearer ${access_token}` },
    redirect: "error",
  });
  await left.body?.cancel();
  return user.id;
}

const claims = z.object({ sub: z.string().check(z.minLength(1), z.maxLength(200)), exp: z.number() });

/** The subject of a JWT (HS256) that the embedding site has signed with the page's secret: `{ sub, exp }`. */
async function vouchedFor(token: string | undefined, { signingSecret = "", slug }: ChatPublication): Promise<string> {
  if (token === undefined || signingSecret.length < 32) throw new DoorProblem(wrongIdentity);
  const verified = await jwtVerify(token, new TextEncoder().encode(signingSecret), {
    algorithms: ["HS256"],
    requiredClaims: ["sub", "exp"],
    clockTolerance: clockTolerance,
  }).catch(() => null);
  const payload = claims.safeParse(verified?.payload);
  const audience = verified?.payload.aud;
  const isForUs = audience === undefined || [audience].flat().includes(slug);
  if (!payload.success || !isForUs || payload.data.exp > Date.now() / 1_000 + longestVoucher) {
    throw new DoorProblem(wrongIdentity);
  }
  return payload.data.sub;
}

const pageExpired: Problem = {
  status: 403,
  code: "page_expired",
  title: "Page expired",
  detail: "This page was loaded too long ago, or from another network. Reload it and try again.",
};
const unauthorized = { status: 401, title: "Unauthorized" };
const wrongPassword: Problem = { ...unauthorized, code: "wrong_password", detail: "That is not the password." };
const wrongAccount: Problem = {
  ...unauthorized,
  code: "wrong_password",
  detail: "No account has this address and password.",
};
const wrongIdentity: Problem = {
  ...unauthorized,
  code: "wrong_identity",
  detail: "The site did not say who you are, or not in a way that this chat accepts. Reload the page.",
};
