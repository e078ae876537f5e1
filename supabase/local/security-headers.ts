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
  const policy = mode === "production" ? strictPolicy : developmentPolicy;
  return {
    "content-security-policy": Object.entries(policy)
      .map(([directive, sources]) => `${directive} ${sources.join(" ")}`)
      .join("; "),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    "x-frame-options": "DENY",
  };
}
