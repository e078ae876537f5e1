const strictPolicy: Record<string, string[]> = {
  "default-src": ["'self'"],
  "script-src": ["'self'", "'wasm-unsafe-eval'"],
  "style-src": ["'self'", "'unsafe-inline'"],
  "img-src": ["'self'", "data:", "blob:"],
  "media-src": ["'self'", "blob:"],
  "font-src": ["'self'"],
  "connect-src": ["'self'"],
  "worker-src": ["'self'", "blob:"],
  "frame-ancestors": ["'none'"],
  "base-uri": ["'none'"],
  "object-src": ["'none'"],
  "form-action": ["'self'"],
};

// Vite's client keeps a WebSocket to the same host, and the React plugin puts one inline script into the page.
const developmentPolicy: Record<string, string[]> = {
  ...strictPolicy,
  "script-src": ["'self'", "'wasm-unsafe-eval'", "'unsafe-inline'"],
  "connect-src": ["'self'", "ws:"],
};

/**
 * Of the chat page, which anybody may open and which shows what a model says. `sandbox` without `allow-same-origin` gives it an
 * origin of its own: whatever happened in it, it could not reach what the studio keeps in the browser.
 */
const chatPolicy: Record<string, string[]> = {
  sandbox: ["allow-scripts", "allow-forms", "allow-popups", "allow-popups-to-escape-sandbox"],
  "default-src": ["'none'"],
  "script-src": ["'self'"],
  "style-src": ["'self'"],
  // Files of a conversation come by links of the doors.
  "img-src": ["'self'", "data:", "blob:"],
  "media-src": ["'self'", "blob:"],
  "font-src": ["'self'"],
  "connect-src": ["'self'"],
  "base-uri": ["'none'"],
  "form-action": ["'none'"],
};

/** Of the page of a shared run, which anybody may open: as the chat page, but it sends nothing and nobody may frame it. */
const sharePolicy: Record<string, string[]> = {
  sandbox: ["allow-scripts", "allow-popups", "allow-popups-to-escape-sandbox"],
  "default-src": ["'none'"],
  "script-src": ["'self'"],
  "style-src": ["'self'", "'unsafe-inline'"],
  "img-src": ["data:"],
  "font-src": ["'self'"],
  "connect-src": ["'self'"],
  "frame-ancestors": ["'none'"],
  "base-uri": ["'none'"],
  "form-action": ["'none'"],
};

const anyHost = ["https:", "http://localhost:*", "http://127.0.0.1:*"];

/**
 * Of the page in which the interface of a tool runs (MCP Apps): code of strangers, in an origin that nothing else has. This is the most
 * that any interface may do; the frame inside gets the policy of its own hosts. `frame-src` keeps that frame from leading itself
 * elsewhere, which would carry data out.
 */
const appPolicy: Record<string, string[]> = {
  "default-src": ["'none'"],
  "script-src": ["'unsafe-inline'", "'unsafe-eval'", "blob:", "data:", ...anyHost],
  "style-src": ["'unsafe-inline'", ...anyHost],
  "img-src": ["data:", "blob:", ...anyHost],
  "font-src": ["data:", ...anyHost],
  "media-src": ["data:", "blob:", ...anyHost],
  "connect-src": [...anyHost, "wss:", "ws://localhost:*", "ws://127.0.0.1:*"],
  "worker-src": ["blob:"],
  "frame-src": ["'none'"],
  "object-src": ["'none'"],
  "base-uri": ["'none'"],
  "form-action": ["'none'"],
  webrtc: ["'block'"],
};

/** The policy that the page carries itself. Browsers take framing rules and the sandbox from headers alone. */
export const pagePolicyOfApps = asText(appPolicy);

/** The page in which interfaces of tools run. */
export const appPagePath = "/mcp-app.html";

/** The headers of that page, which only the studio frames. */
export const appPageHeaders: Record<string, string> = {
  "content-security-policy": `sandbox allow-scripts allow-forms; ${pagePolicyOfApps}; frame-ancestors 'self'`,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "permissions-policy":
    "camera=(), microphone=(), geolocation=(), payment=(), usb=(), clipboard-read=(), clipboard-write=(), display-capture=(), fullscreen=(), publickey-credentials-get=()",
  "cross-origin-opener-policy": "unsafe-none",
  "cross-origin-resource-policy": "same-origin",
  "origin-agent-cluster": "?1",
};

/** The headers of every answer. `development` relaxes what Vite's hot reload needs and no more. */
export function securityHeaders(mode: "production" | "development"): Record<string, string> {
  return headersWith(mode === "production" ? strictPolicy : developmentPolicy);
}

/** The headers of the built site wherever it is hosted; `backend` is the origin of its Supabase, when it is another one. */
export function siteHeaders(backend: string | null): Record<string, string> {
  return headersWith(policyFor(backend));
}

/** The policy that the page of the built site carries itself. Browsers take framing rules from headers alone. */
export function pagePolicy(backend: string | null): string {
  const { "frame-ancestors": _byHeader, ...policy } = policyFor(backend);
  return asText(policy);
}

/**
 * The headers of `/c/<slug>`. `framedBy`: the origins of the sites that may show the page in a frame, or "any" where a static
 * host cannot know them and the page itself looks at who frames it.
 */
export function chatPageHeaders(backend: string | null, framedBy: readonly string[] | "any"): Record<string, string> {
  const ancestors = framedBy === "any" ? ["*"] : framedBy.length === 0 ? ["'none'"] : [...framedBy];
  const policy = { ...chatPolicyFor(backend), "frame-ancestors": ancestors };
  return {
    "content-security-policy": asText(policy),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    "cross-origin-resource-policy": "cross-origin",
    // A sandboxed page may not ask for a group of its own (HTML standard, "cross-origin opener policies").
    "cross-origin-opener-policy": "unsafe-none",
    ...(framedBy !== "any" && framedBy.length === 0 ? { "x-frame-options": "DENY" } : {}),
  };
}

/** The headers of `/s/<slug>`. */
export function sharePageHeaders(backend: string | null): Record<string, string> {
  return {
    ...chatPageHeaders(backend, []),
    "content-security-policy": asText(sharePolicyFor(backend)),
    "x-robots-tag": "noindex, nofollow",
  };
}

/** The policy that the page of a shared run carries itself. Browsers take framing rules and the sandbox from headers alone. */
export function pagePolicyOfShare(backend: string | null): string {
  const { sandbox: _byHeader, "frame-ancestors": _too, ...policy } = sharePolicyFor(backend);
  return asText(policy);
}

/** The policy of a run that was saved as a file, by the hash of its one script: it can ask nobody for anything. */
export function policyOfShareFile(scriptHash: string): string {
  return asText({
    "default-src": ["'none'"],
    "script-src": [`'sha256-${scriptHash}'`],
    "style-src": ["'unsafe-inline'"],
    "img-src": ["data:"],
    "base-uri": ["'none'"],
    "form-action": ["'none'"],
  });
}

/** The headers of the files of pages that strangers open, which a page without an origin may only read where everybody may. */
export const chatFileHeaders: Record<string, string> = {
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
  "x-content-type-options": "nosniff",
};

/** The policy that the chat page carries itself. Browsers take framing rules and the sandbox from headers alone. */
export function pagePolicyOfChat(backend: string | null): string {
  const { sandbox: _byHeader, ...policy } = chatPolicyFor(backend);
  return asText(policy);
}

function chatPolicyFor(backend: string | null): Record<string, string[]> {
  if (backend === null) return chatPolicy;
  return {
    ...chatPolicy,
    "img-src": [backend, "data:", "blob:"],
    "media-src": [backend, "blob:"],
    "connect-src": [backend],
  };
}

function sharePolicyFor(backend: string | null): Record<string, string[]> {
  return backend === null ? sharePolicy : { ...sharePolicy, "connect-src": [backend] };
}

function policyFor(backend: string | null): Record<string, string[]> {
  return backend === null
    ? strictPolicy
    : { ...strictPolicy, "connect-src": ["'self'", backend, backend.replace(/^http/, "ws")] };
}

function asText(policy: Record<string, string[]>): string {
  return Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources.join(" ")}`)
    .join("; ");
}

function headersWith(policy: Record<string, string[]>): Record<string, string> {
  return {
    "content-security-policy": asText(policy),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    "x-frame-options": "DENY",
  };
}
