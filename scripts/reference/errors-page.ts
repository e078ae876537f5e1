import type { RunErrorCode } from "../../src/engine/errors.ts";
import type { SqlErrorType } from "../../src/nodes/tools/postgres/sql-result.ts";
import type { ProblemCode } from "../../supabase/functions/_shared/door-problem.ts";
import type { FailureCode } from "../../supabase/functions/_shared/failure.ts";
import { code, table } from "./markdown.ts";

/** What a code means, and what to do about it. */
type Words = readonly [means: string, remedy: string];

const runErrors: Record<RunErrorCode, Words> = {
  invalid_config: ["A setting is missing or wrong.", "Open the node; the setting is marked and says what it takes."],
  missing_connection: [
    "Something that a node needs is not connected, or the workflow has no trigger.",
    "Connect what the message names: an agent needs a model, a tool or a memory an agent.",
  ],
  invalid_credentials: [
    "There is no credential, it is not yours, or the service refused it.",
    "Choose a credential on the node, or open **Credentials** and test the one that is named.",
  ],
  rate_limit: [
    "A vendor, a server or the studio has had too many requests. Models are asked again up to three times.",
    "Wait, lower the concurrency, or raise your limit with the vendor.",
  ],
  model_error: [
    "The model or its server failed, broke off, or gave no usable answer.",
    "Try again, choose another model, or wire a fallback model to the agent.",
  ],
  content_filter: [
    "The vendor's filter refused the prompt or withheld the answer.",
    "Rephrase the message or the system prompt, or choose another model.",
  ],
  context_length: [
    "The conversation is too long for the model.",
    "Let the memory keep fewer messages, shorten tool results, or choose a model with a longer context.",
  ],
  tool_error: [
    "A tool or a step failed, or a person refused the call. A tool's failure is given to the model, and the run goes on.",
    "Open the step under **Run → Steps**: it shows arguments, answer and reason.",
  ],
  invalid_arguments: [
    "The model called a tool that does not exist, or with arguments that do not fit its schema.",
    "The model reads the reason and usually corrects itself. Otherwise describe the tool's parameters better.",
  ],
  memory_error: [
    "A conversation could not be read or written. The agent goes on without it.",
    "Check the memory node and its connection.",
  ],
  expression_error: [
    "A template is wrong, or names something that does not exist.",
    "The message names node, setting and position, and the nearest name that exists.",
  ],
  timeout: ["Something took longer than its limit.", "Raise the limit on the node, or let it do less."],
  cancelled: ["The run was stopped.", "Run the workflow again."],
  blocked_address: [
    "The address is private, or the credential does not list its host.",
    "Use a public address; let the operator name the host in `STUDIO_ALLOW_HOSTS`; or add the host to the credential.",
  ],
  budget: [
    "The next model call could exceed a spending limit, so it was not made.",
    "Raise the limit under **Publish**, or wait for the next period.",
  ],
  internal: ["Something failed that should not.", "Run it again. If it fails again, report it with the run's log."],
};

const functionErrors: Record<FailureCode, Words> = {
  bad_certificate: ["The server's TLS certificate is not valid.", "Have it renewed, or correct the host name."],
  blocked_address: runErrors.blocked_address,
  cancelled: ["Whoever asked has gone.", "Ask again."],
  internal: ["The function failed, or the installation lacks an encryption key.", "Tell the operator."],
  invalid_config: ["The request is not one that the function takes.", "The message names what is wrong."],
  invalid_credentials: runErrors.invalid_credentials,
  invalid_header: ["A header's name or value is not allowed.", "Remove or encode it."],
  invalid_url: [
    "The URL is not a complete http or https address, or it holds a password.",
    "Correct it; put secrets into a credential.",
  ],
  network: ["The connection could not be made, or broke.", "Try again, and check the server."],
  rate_limit: ["You have made too many calls.", "Wait as long as `Retry-After` says."],
  redirect_refused: ["The server redirected to another address, which was not followed.", "Use the final address."],
  timeout: ["The server did not answer in time.", "Try again, or raise the time limit."],
  too_large: ["The answer is larger than the function reads.", "Ask for less."],
  too_many_redirects: ["The server redirects too often.", "Use the final address, or raise the number of redirects."],
};

const sqlErrors: Record<SqlErrorType, Words> = {
  connection_error: [
    "The database cannot be reached, is busy, or does not exist.",
    "Check the connection string, or try again.",
  ],
  authentication_error: ["The database refused user or password.", "Enter the connection string again."],
  invalid_table: ["There is no such table or schema.", "Use the nearest name, which the suggestion gives."],
  invalid_column: ["There is no such column.", "Use one of those that the suggestion lists."],
  syntax_error: ["The statement or a value does not fit.", "Correct what the message names."],
  constraint_violation: ["A rule of the table refused the rows.", "Change the values."],
  permission_denied: ["The role of the credential, or the tool, may not do this.", "Use a tool or a role that may."],
  timeout: ["The statement took too long or waited for others; nothing was changed.", "Ask for less, or try again."],
  rejected: [
    "The studio refused the statement: an empty condition, too many rows, a table that the credential does not list, or a write in a read.",
    "The suggestion says what is allowed.",
  ],
};

const problems: Record<ProblemCode, readonly [status: number, ...Words]> = {
  already_decided: [
    409,
    "The question was answered elsewhere, has expired, or its run has ended.",
    "Nothing is left to do.",
  ],
  bad_request: [400, "The request is not understood.", "`detail` names what is wrong."],
  busy: [503, "The server has too many bodies to read.", "Try again as `Retry-After` says."],
  cancelled: [502, "The run was cancelled (OpenAI's API).", "Start another."],
  closed: [
    503,
    "The chat has answered as much as it may today, or its owner's budget is spent.",
    "Come back tomorrow.",
  ],
  daily_share: [
    429,
    "The visitor, network or API key has sent as much as one sender may in a day.",
    "Wait until midnight UTC, or raise the share under **Publish**.",
  ],
  forbidden: [403, "The API key has no right to this.", "Add the right under **Settings → API keys**."],
  idempotency_key_reused: [
    422,
    "The key or delivery number came with another input before.",
    "Use a new one for each request.",
  ],
  in_progress: [409, "This delivery came before and its run has not ended.", "Send it again later for the answer."],
  internal: [500, "The request failed.", "Try again; then tell the operator."],
  key_expired: [401, "The API key has expired.", "Make a new one."],
  no_answer: [502, "The run ended without coming to a **Respond** node.", "Let every branch end in one."],
  not_found: [
    404,
    "It does not exist, is not published, or is not yours.",
    "Check address, version and rights of the key.",
  ],
  not_verified: [
    401,
    "The token or signature of a webhook is missing, wrong or older than five minutes.",
    "Compare secret, scheme and clock with the sender's.",
  ],
  origin_not_allowed: [
    403,
    "Pages of this site may not use the key or the chat.",
    "Add the origin to the API key or the chat page.",
  ],
  rate_limit: [
    429,
    "A limit of requests or of runs at the same time is reached.",
    "Wait as long as `Retry-After` says.",
  ],
  page_expired: [403, "The chat page was loaded too long ago, or from another network.", "Reload it."],
  run_cancelled: [502, "The run was cancelled (webhooks).", "Send the request again."],
  run_failed: [502, "The run failed.", "Its owner sees why under **Runs**."],
  session_not_found: [404, "There is no such MCP session for this key.", "Send `initialize` again."],
  spending_limit: [429, "The budget of the key or the workflow is used up.", "Raise it, or wait for the next period."],
  storage_full: [
    507,
    "The account of the workflow's owner has no room left.",
    "Delete runs or documents, or keep less, under **Settings**.",
  ],
  too_large: [413, "The body or the message is too long.", "Send less."],
  too_slow: [408, "The body came too slowly.", "Send it again."],
  unauthorized: [401, "There is no API key, or it is unknown or revoked.", "Send `Authorization: Bearer sy_…`."],
  unavailable: [503, "The service is restarting or busy.", "Try again in a moment."],
  unknown_session: [401, "The chat does not know this visitor.", "Open the chat again."],
  work_required: [403, "The visitor's browser did not solve the proof of work.", "Try again."],
  wrong_identity: [
    401,
    "The token of the embedding site is missing or not accepted.",
    "See the settings of the chat page under **Publish → Where it runs** for its secret and claims.",
  ],
  wrong_method: [405, "The address takes another method.", "`detail` names it."],
  wrong_password: [401, "The chat page's password, or the account, is wrong.", "Enter it again."],
};

/** Every error code with what to do about it. A code that is missing here does not compile. */
export function errorsPage(): string {
  return [
    "# Errors",
    "Every error has a code, a message that says what happened, and a hint that says what to do. This page lists the codes. Start with the hint: it knows more than this page.",
    "## Errors of a run",
    'On the node, in the panels and in the output: `{ code, message, hint, retryable, nodeId?, cause? }`. A node with **On error: continue** gives it as `{ "error": … }` instead of failing.',
    twoColumns(runErrors),
    "## Errors of an edge function",
    'As `{ "error": { code, message, hint, retryable } }`. In a run those that are not in the list above arrive as `tool_error`, `model_error` or `memory_error`, with the message as it is.',
    twoColumns(functionErrors),
    "## Errors of the database tools",
    "The model reads `errorType`, `error` and `suggestion`, and can correct itself.",
    twoColumns(sqlErrors),
    "## Problems of the APIs for programs",
    "Problem documents ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)) with `code`, `title` and `detail`, from [the API](../doors.md), webhooks, chat pages and MCP.",
    table(
      ["Code", "Status", "What happened", "What to do"],
      Object.entries(problems).map(([name, [status, ...words]]) => [code(name), String(status), ...words]),
    ),
  ].join("\n\n");
}

function twoColumns(errors: Readonly<Record<string, Words>>): string {
  return table(
    ["Code", "What happened", "What to do"],
    Object.entries(errors).map(([name, words]) => [code(name), ...words]),
  );
}
