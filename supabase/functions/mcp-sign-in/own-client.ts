import { originHeader } from "../_shared/caller-address.ts";
import type { FunctionEnvironment } from "../_shared/function-environment.ts";
import { checkTarget } from "../_shared/target-policy.ts";

/** Where the site takes people back who signed in elsewhere (`callbackPath` of the site). */
export const ownCallbackPath = "/oauth/callback";

const documentPath = "/mcp-sign-in/client-metadata.json";

/** The client ID that is the address of a document about the studio (OAuth Client ID Metadata Document). */
export interface OwnClient {
  id: string;
  /** On a platform that is certainly reached from everywhere; a studio with a server of its own may be known at home only. */
  isHosted: boolean;
}

/** What an authorization server is told of the studio, by registration or by its document. It keeps no secret. */
export function clientMetadataFor(redirectUrls: string[]) {
  return {
    client_name: "Switchyard",
    redirect_uris: redirectUrls,
    // Servers of OpenID Connect let only native clients come back to a page without TLS (SEP-837).
    application_type: redirectUrls.some((url) => new URL(url).protocol === "http:") ? "native" : "web",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
}

/** The client ID with which a person comes back to `redirectUrl`; null where the studio has no public https address. */
export function findOwnClient(
  request: Request,
  environment: FunctionEnvironment,
  redirectUrl: string,
): OwnClient | null {
  const described = describe(request, environment);
  if (described?.redirectUrls.includes(redirectUrl) !== true) return null;
  return { id: described.id, isHosted: !environment.isBehindGateway };
}

/** The document, when a request asks for it and there is one. It names the studio's own pages and no others. */
export function ownClientDocument(request: Request, environment: FunctionEnvironment): object | null {
  if (!new URL(request.url).pathname.endsWith(documentPath)) return null;
  const described = describe(request, environment);
  return described && { client_id: described.id, ...clientMetadataFor(described.redirectUrls) };
}

function describe(
  request: Request,
  { isBehindGateway, supabaseUrl, allowedOrigins }: FunctionEnvironment,
): { id: string; redirectUrls: string[] } | null {
  // The gateway answers to names alone that its certificate has.
  const own = isBehindGateway ? request.headers.get(originHeader) : supabaseUrl;
  if (own === null || !isPublic(own)) return null;
  const sites = (isBehindGateway ? [own] : allowedOrigins).filter((origin) => URL.canParse(ownCallbackPath, origin));
  return {
    id: `${own}/functions/v1${documentPath}`,
    redirectUrls: sites.map((origin) => new URL(ownCallbackPath, origin).href),
  };
}

/** Whether an authorization server somewhere else may be able to read a document there. */
function isPublic(origin: string): boolean {
  const target = checkTarget(origin, { allowHosts: [] });
  return target.ok && target.value.trust === "public" && target.value.url.protocol === "https:";
}
