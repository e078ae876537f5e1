const strictPolicy: Record<string, string[]> = {
  "default-src": ["'self'"],
  "script-src": ["'self'", "'wasm-unsafe-eval'"],
  "style-src": ["'self'", "'unsafe-inline'"],
  "img-src": ["'self'", "data:", "blob:"],
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

function policyFor(backend: string | null): Record<string, string[]> {
  return backend === null ? strictPolicy : { ...strictPolicy, "connect-src": ["'self'", backend] };
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
