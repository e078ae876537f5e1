import { z } from "zod/mini";
import { wantedScope } from "../../../src/engine/credentials/scopes.ts";
import type { Caller } from "../_shared/authenticate.ts";
import { isOAuthCredential } from "../_shared/credential-types.ts";
import { describeIssues } from "../_shared/describe-issues.ts";
import type { Endpoint, FunctionContext } from "../_shared/endpoint.ts";
import { failure, success, type Outcome } from "../_shared/failure.ts";
import { jsonEndpoint } from "../_shared/json-endpoint.ts";
import { respondJson } from "../_shared/respond.ts";
import { finishSignIn } from "./finish-sign-in.ts";
import { findOwnClient, ownClientDocument } from "./own-client.ts";
import { sealedSchema } from "./pending-sign-in.ts";
import { startEntered } from "./start-entered.ts";
import { startSignIn } from "./start-sign-in.ts";

const maxRequestBytes = 64 * 1024;

const requestSchema = z.discriminatedUnion("action", [
  z.strictObject({ action: z.literal("start"), credential: z.uuid(), redirectUrl: z.url().check(z.maxLength(2_048)) }),
  z.strictObject({
    action: z.literal("finish"),
    credential: z.uuid(),
    pending: sealedSchema,
    state: z.string().check(z.maxLength(200)),
    code: z.string().check(z.minLength(1), z.maxLength(8_192)),
    issuer: z.optional(z.string().check(z.maxLength(2_048))),
  }),
]);

/**
 * `POST /functions/v1/mcp-sign-in`: signs a person in to an MCP server (OAuth 2.1 with PKCE, as the Model Context Protocol's
 * authorization chapter has it), or to a service whose OAuth 2 addresses the person entered. Tokens go into the credential and never to the browser.
 *
 * Requests: `{ action: "start", credential, redirectUrl }` → `{ authorizationUrl, state, pending }`; the person goes to that
 * address and comes back to `redirectUrl`, which must be of the site that asks. `{ action: "finish", credential, pending,
 * state, code, issuer? }` → `{ id }`. The credential is of type `mcp-oauth` or `oauth2`. Errors: 400 `invalid_config` (no sign-in, no
 * registration) or `invalid_credentials` (not the caller's, an answer of another sign-in, refused), 403 `blocked_address`,
 * 401, 429, 502, 504, 500.
 *
 * `GET /functions/v1/mcp-sign-in/client-metadata.json`, for anyone: what the studio is as an OAuth client, for authorization
 * servers that take its address as a client ID. Only where the studio has a public https address.
 */
export const mcpSignInEndpoint: Endpoint = {
  ...jsonEndpoint({
    rateLimit: { bucket: "mcp-sign-in", perMinute: 20, concurrent: 4, slotSeconds: 120 },
    maxBytes: maxRequestBytes,
    async perform(body, caller, context, request) {
      const parsed = requestSchema.safeParse(body);
      return parsed.success
        ? perform(parsed.data, request, caller, context)
        : describeIssues(parsed.error, "The request");
    },
  }),
  answerAnyone(request, environment) {
    if (request.method !== "GET") return null;
    const document = ownClientDocument(request, environment);
    return document === null ? null : respondJson(document, 200, { "cache-control": "max-age=3600" });
  },
};

async function perform(
  body: z.infer<typeof requestSchema>,
  request: Request,
  caller: Caller,
  context: FunctionContext,
): Promise<Outcome<unknown>> {
  const row = await context.credentials.find(caller, body.credential);
  if (!row.ok) return row;
  const opened = await context.credentials.open(row.value);
  if (!opened.ok) return opened;
  const credential = opened.value;
  if (!isOAuthCredential(credential) || credential.type === "oauth2-client") {
    const hint = "Choose a credential of type MCP server with sign-in, or OAuth 2.";
    return failure("invalid_credentials", "Nobody signs in with a credential of this type.", hint);
  }
  const { headers, signal } = request;
  switch (body.action) {
    case "start": {
      const { redirectUrl } = body;
      // A browser names the page that asks; the answer may come back to that site only, as a page.
      const back = new URL(redirectUrl);
      const isPage =
        /^https?:$/.test(back.protocol) && back.username === "" && back.password === "" && back.hash === "";
      if (!isPage || back.origin !== headers.get("origin")) {
        const hint = "Start the sign-in from the studio's own page.";
        return failure("invalid_config", "The sign-in would lead back to another site.", hint);
      }
      if (credential.type === "oauth2") {
        return startEntered(credential, { id: body.credential, redirectUrl }, caller, context);
      }
      const start = {
        credential: body.credential,
        redirectUrl,
        ownClient: findOwnClient(request, context.environment, redirectUrl),
        wantedScope: wantedScope(row.value.settings),
        signal,
      };
      return startSignIn(credential.fields, start, caller, context);
    }
    case "finish": {
      const saved = await finishSignIn(row.value, credential, { ...body, signal }, caller, context);
      return saved.ok ? success({ id: saved.value.id }) : saved;
    }
  }
}
