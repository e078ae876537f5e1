import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { InvalidGrantError } from "@modelcontextprotocol/sdk/server/auth/errors.js";
import type { OAuthServerProvider } from "@modelcontextprotocol/sdk/server/auth/provider.js";
import { mcpAuthRouter } from "@modelcontextprotocol/sdk/server/auth/router.js";
import { createMcpExpressApp } from "@modelcontextprotocol/sdk/server/express.js";
import type { OAuthClientInformationFull, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";

/** An authorization server on loopback, made of the protocol's own server parts, for one resource. */
export interface OAuthServer {
  issuer: string;
  /** What the resource says in `WWW-Authenticate`. */
  challenge(): string;
  /** Whether an `Authorization` header carries a token that is good now. */
  accepts(authorization: string | undefined): boolean;
  /** Takes back every access token; refresh tokens stay. */
  withdrawTokens(): void;
  /** Takes back every refresh token. */
  endSignIns(): void;
  /** Every code and token that was ever given. */
  given: string[];
  /** How often a token was asked for, by grant type. */
  asked: { code: number; refresh: number };
  stop(): Promise<void>;
}

const secret = (kind: string) => `test-key-${kind}-${randomBytes(12).toString("hex")}`;

/**
 * Starts it for a resource. Access tokens last
 * `lifetimeSeconds`; a refresh token works once. With `onlyClient` no other client can register itself.
 */
export async function startOAuthServer(options: {
  resource: string;
  lifetimeSeconds: number;
  /** Shows a page with two links instead of taking everyone for a person who agrees. */
  asksPerson?: boolean;
  onlyClient?: { id: string; redirectUrl: string };
}): Promise<OAuthServer> {
  const clients = new Map<string, OAuthClientInformationFull>();
  const codes = new Map<string, { challenge: string; client: string }>();
  const accessTokens = new Map<string, number>();
  const refreshTokens = new Set<string>();
  const given: string[] = [];
  const asked = { code: 0, refresh: 0 };

  function tokens(): OAuthTokens {
    const [access, refresh] = [secret("access"), secret("refresh")];
    accessTokens.set(access, Date.now() + options.lifetimeSeconds * 1000);
    refreshTokens.add(refresh);
    given.push(access, refresh);
    return { access_token: access, refresh_token: refresh, token_type: "bearer", expires_in: options.lifetimeSeconds };
  }

  const { onlyClient } = options;
  if (onlyClient) {
    clients.set(onlyClient.id, { client_id: onlyClient.id, redirect_uris: [onlyClient.redirectUrl] });
  }
  const provider: OAuthServerProvider = {
    clientsStore: {
      getClient: (id) => clients.get(id),
      ...(onlyClient
        ? {}
        : {
            registerClient(client: Omit<OAuthClientInformationFull, "client_id">) {
              const registered = { ...client, client_id: secret("client") };
              clients.set(registered.client_id, registered);
              return registered;
            },
          }),
    },
    authorize(client, { redirectUri, state, codeChallenge }, response) {
      const code = secret("code");
      given.push(code);
      codes.set(code, { challenge: codeChallenge, client: client.client_id });
      const back = (name: string, value: string) => {
        const target = new URL(redirectUri);
        target.searchParams.set(name, value);
        if (state !== undefined) target.searchParams.set("state", state);
        return target.href;
      };
      if (options.asksPerson === true) {
        const link = (words: string, href: string) => `<a href="${href.replaceAll("&", "&amp;")}">${words}</a>`;
        response.send(`${link("Agree", back("code", code))} ${link("Decline", back("error", "access_denied"))}`);
      } else {
        response.redirect(back("code", code));
      }
      return Promise.resolve();
    },
    challengeForAuthorizationCode(_client, code) {
      const known = codes.get(code);
      return known ? Promise.resolve(known.challenge) : Promise.reject(new InvalidGrantError("unknown code"));
    },
    exchangeAuthorizationCode(client, code) {
      asked.code += 1;
      if (codes.get(code)?.client !== client.client_id) return Promise.reject(new InvalidGrantError("unknown code"));
      codes.delete(code);
      return Promise.resolve(tokens());
    },
    exchangeRefreshToken(_client, token) {
      asked.refresh += 1;
      return refreshTokens.delete(token)
        ? Promise.resolve(tokens())
        : Promise.reject(new InvalidGrantError("unknown refresh token"));
    },
    verifyAccessToken: (token) => Promise.reject(new Error(`Nobody asks this server about ${token.length} letters.`)),
  };

  const app = createMcpExpressApp();
  const server: Server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  app.use(
    mcpAuthRouter({
      provider,
      issuerUrl: new URL(issuer),
      resourceServerUrl: new URL(options.resource),
      scopesSupported: ["tools:read", "tools:call"],
    }),
  );
  return {
    issuer,
    challenge: () => `Bearer resource_metadata="${new URL("/.well-known/oauth-protected-resource/mcp", issuer).href}"`,
    accepts: (authorization) => (accessTokens.get(authorization?.replace(/^Bearer /, "") ?? "") ?? 0) > Date.now(),
    withdrawTokens: () => accessTokens.clear(),
    endSignIns: () => refreshTokens.clear(),
    given,
    asked,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
