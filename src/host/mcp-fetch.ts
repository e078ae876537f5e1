import type { Host } from "../engine/host.ts";
import type { FunctionAccess } from "../state/shared/storage/model-fetch.ts";
import { credentialHeader, mcpServerHeader } from "../engine/studio-headers.ts";

/**
 * `Host.mcpFetch` for the browser: the request goes to the `mcp-proxy` function, which finds the server by the
 * credential's id, or by the address where there is none; both travel in headers. Body and signal pass as they are.
 */
export function createMcpFetch(access: FunctionAccess): Host["mcpFetch"] {
  const send = access.fetch ?? fetch.bind(globalThis);
  return async ({ url, credential }, init) => {
    const headers = new Headers(init.headers);
    for (const name of ["authorization", "cookie"]) headers.delete(name);
    headers.set("apikey", access.publishableKey);
    if (credential !== "") headers.set(credentialHeader, credential);
    if (url !== "") headers.set(mcpServerHeader, URL.canParse(url) ? new URL(url).href : encodeURI(url));
    const token = await access.accessToken();
    if (token !== null) headers.set("authorization", `Bearer ${token}`);
    const { method = "GET", body, signal } = init;
    return send(`${access.functionsUrl}/mcp-proxy`, { method, body, signal, headers, credentials: "omit" });
  };
}
