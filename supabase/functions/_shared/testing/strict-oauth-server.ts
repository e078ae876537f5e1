import { createHash, randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { type LoopbackServer, startLoopbackServer } from "./loopback-server.ts";

/** How a test bends the server. */
export interface OAuthTwist {
  /** Seconds that an access token lasts; as long as the test when absent. */
  lifetimeSeconds?: number;
  /** How the client has to prove itself. Default: in the form. */
  proof?: "body" | "header";
  /** Answers at the token endpoint itself, when it wants to. */
  token?: (response: ServerResponse) => boolean;
}

/** An OAuth 2 server of one application and the API that its tokens are for, in one, both on loopback. */
export type StrictOAuthServer = LoopbackServer & {
  origin: string;
  /** Agrees at the address to which a person was sent; gives the code. Throws where the request is not as it has to be. */
  agree(authorizationUrl: string, redirectUrl: string): string;
  /** Every token that was given. */
  given: string[];
  /** Form fields of each request at the token endpoint. */
  asked: URLSearchParams[];
  /** Takes back the access tokens, or all tokens. */
  withdraw(what: "access" | "all"): void;
};

export const client = { id: "studio", secret: "test-key-client-0123456789" };

const fresh = (kind: string) => `test-key-${kind}-${randomBytes(12).toString("hex")}`;

/**
 * Starts it. Codes and refresh tokens work once; a second use of a refresh token ends all that came of it (RFC 9700
 * §4.14). PKCE with S256 is required. `/api` answers whoever carries a token that is good.
 */
export async function startStrictOAuthServer(twist: OAuthTwist = {}): Promise<StrictOAuthServer> {
  const codes = new Map<string, { challenge: string; redirectUrl: string }>();
  const access = new Map<string, number>();
  const refresh = new Map<string, { used: boolean }>();
  const given: string[] = [];
  const asked: URLSearchParams[] = [];

  function tokens(withRefresh: boolean): object {
    const lasts = twist.lifetimeSeconds ?? 3_600;
    const token = fresh("access");
    access.set(token, Date.now() + lasts * 1_000);
    const renewal = fresh("refresh");
    if (withRefresh) refresh.set(renewal, { used: false });
    given.push(token, ...(withRefresh ? [renewal] : []));
    return {
      access_token: token,
      token_type: "Bearer",
      expires_in: lasts,
      ...(withRefresh && { refresh_token: renewal }),
    };
  }

  function isClient(form: URLSearchParams, authorization: string | undefined): boolean {
    const basic = `Basic ${btoa(`${client.id}:${client.secret}`)}`;
    if (twist.proof === "header") return authorization === basic && form.get("client_secret") === null;
    return form.get("client_id") === client.id && form.get("client_secret") === client.secret;
  }

  function answer(form: URLSearchParams): object {
    switch (form.get("grant_type")) {
      case "authorization_code": {
        const code = codes.get(form.get("code") ?? "");
        codes.delete(form.get("code") ?? "");
        const challenge = createHash("sha256")
          .update(form.get("code_verifier") ?? "")
          .digest("base64url");
        const fits = code?.challenge === challenge && code.redirectUrl === form.get("redirect_uri");
        return fits ? tokens(true) : { error: "invalid_grant" };
      }
      case "refresh_token": {
        const known = refresh.get(form.get("refresh_token") ?? "");
        if (known?.used === false) {
          known.used = true;
          return tokens(true);
        }
        refresh.clear();
        access.clear();
        return { error: "invalid_grant" };
      }
      case "client_credentials":
        return tokens(false);
      default:
        return { error: "unsupported_grant_type" };
    }
  }

  const server = await startLoopbackServer((request, response) => {
    const say = (status: number, body: object) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (request.url?.startsWith("/token") === true) {
      const form = new URLSearchParams(server.seen.findLast(({ url }) => url === request.url)?.body);
      asked.push(form);
      if (twist.token?.(response) === true) return;
      if (!isClient(form, request.headers.authorization)) return void say(401, { error: "invalid_client" });
      const said = answer(form);
      return void say("error" in said ? 400 : 200, said);
    }
    const token = request.headers.authorization?.replace(/^Bearer /, "") ?? "";
    const isGood = (access.get(token) ?? 0) > Date.now();
    say(isGood ? 200 : 401, isGood ? { hello: token } : { error: "invalid_token" });
  });

  return {
    ...server,
    origin: `http://${server.host}`,
    given,
    asked,
    agree(authorizationUrl, redirectUrl) {
      const page = new URL(authorizationUrl).searchParams;
      const wanted = {
        response_type: "code",
        client_id: client.id,
        redirect_uri: redirectUrl,
        code_challenge_method: "S256",
      };
      for (const [name, value] of Object.entries(wanted)) {
        if (page.get(name) !== value || page.getAll(name).length > 1) throw new Error(`The page was given ${page}.`);
      }
      const code = fresh("code");
      codes.set(code, { challenge: page.get("code_challenge") ?? "", redirectUrl });
      given.push(code);
      return code;
    },
    withdraw(what) {
      access.clear();
      if (what === "all") refresh.clear();
    },
  };
}
