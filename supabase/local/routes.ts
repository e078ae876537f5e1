import { Hono } from "hono";
import type { Accounts } from "./accounts.ts";
import { unavailable } from "./api-forwarder.ts";
import { bufferRequest } from "./buffered-request.ts";
import { DatabaseUnavailable } from "./database-client.ts";
import type { DatabaseService } from "./database-service.ts";
import type { FunctionsProxy } from "./functions-proxy.ts";
import { isApiPath, type OriginGuard } from "./origin-guard.ts";
import type { SiteHandler } from "./site-handler.ts";
import type { SupabaseApi } from "./supabase-api.ts";
import type { NodeExchange } from "./http-server.ts";

// Above the largest single row that a table takes, and enough for a batch of events.
const maxBodyBytes = 32 * 1024 * 1024;

/**
 * What the auth API does by mail. No mail leaves this machine, so nobody could use these but a guesser: each makes or takes
 * a code of six digits that opens the account, and the library counts no failed tries.
 */
const mailPaths = ["otp", "magiclink", "recover", "resend", "verify", "reauthenticate"].map(
  (name) => `/auth/v1/${name}`,
);

/** Everything behind the one origin. */
interface Services {
  instance: string;
  guard: OriginGuard;
  headers: Record<string, string>;
  api: SupabaseApi;
  accounts: Accounts;
  database: Pick<DatabaseService, "state">;
  functions: FunctionsProxy | null;
  site: SiteHandler;
}

/** The handler of all requests: guard, then API, edge functions or site, with the security headers on each answer. */
export function createRoutes(services: Services): (request: Request, exchange: NodeExchange) => Promise<Response> {
  const { instance, guard, headers, api, accounts, database, functions, site } = services;
  const app = new Hono<{ Bindings: NodeExchange }>();

  app.use(async (context, next) => {
    const refusal = guard(context.req.raw);
    if (refusal) context.res = refuse(403, "forbidden_origin", refusal);
    else await next();
    for (const name of Array.from(context.res.headers.keys())) {
      // Everything is on one origin; the API library would let every site read its answers.
      if (name.startsWith("access-control-")) context.res.headers.delete(name);
    }
    for (const [name, value] of Object.entries(headers)) context.res.headers.set(name, value);
  });

  app.get("/.well-known/switchyard", (context) =>
    context.json({ instance, database: database.state }, 200, { "cache-control": "no-store" }),
  );

  for (const path of mailPaths) app.all(path, () => sendsNoMail());

  const viaApi = async (request: Request, ask: SupabaseApi): Promise<Response> => {
    const buffered = await bufferRequest(request, maxBodyBytes);
    if (!buffered) return refuse(413, "too_large", "The request is larger than 32 MB.");
    const response = await ask(buffered);
    response.headers.set("cache-control", "no-store");
    return response;
  };
  const addressOf = ({ incoming }: NodeExchange) => incoming.socket.remoteAddress ?? "";
  app.post("/auth/v1/token", (context) =>
    viaApi(context.req.raw, (request) => accounts.signIn(request, addressOf(context.env))),
  );
  app.post("/auth/v1/signup", (context) =>
    viaApi(context.req.raw, (request) => accounts.signUp(request, addressOf(context.env))),
  );
  for (const path of ["/rest/v1/*", "/auth/v1/*"]) app.all(path, (context) => viaApi(context.req.raw, api));

  app.all("/functions/v1/*", (context) =>
    functions
      ? functions.forward(context.req.raw)
      : refuse(404, "not_found", "This instance runs without edge functions."),
  );

  app.all("*", (context) =>
    isApiPath(context.req.path)
      ? refuse(404, "not_found", "The embedded Supabase has no such service.")
      : site(context.req.raw, context.env),
  );

  app.onError((error) => {
    if (error instanceof DatabaseUnavailable) return unavailable(error);
    console.error(`A request failed: ${error.message}`);
    return refuse(500, "internal", "The server failed to answer. The terminal says why.");
  });

  return async (request, exchange) => app.fetch(request, exchange);
}

/** As the auth API's clients read errors. */
function sendsNoMail(): Response {
  const msg =
    "This installation sends no mail, so nobody signs in or resets a password by mail. Sign in with the password.";
  return Response.json({ code: 422, error_code: "email_provider_disabled", msg }, { status: 422 });
}

function refuse(status: number, code: string, message: string): Response {
  return Response.json({ code, message }, { status });
}
