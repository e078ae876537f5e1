import { languageFile, scanFiles } from "../../../src/documents/scan/installed-scans.ts";
import { isScanLanguage, scanLanguages } from "../../../src/documents/scan/scan-languages.ts";
import type { SiteHandler } from "./site-handler.ts";
import { createSite } from "./site.ts";
import { createSiteFiles } from "./site-files.ts";

const served: ReadonlySet<string> = new Set([
  scanFiles.list,
  scanFiles.module,
  scanFiles.wasm,
  ...Object.keys(scanLanguages).filter(isScanLanguage).map(languageFile),
]);

/** Serves text recognition from the folder where it is installed, under /ocr/; anything else is left to `site`. */
export function withScanFiles(folder: string, site: SiteHandler, headers: Record<string, string> = {}): SiteHandler {
  const files = createSite(createSiteFiles(folder, { supabaseUrl: "", supabaseKey: "" }));
  return async (request, exchange) => {
    const url = new URL(request.url);
    const [, name] = /^\/ocr\/([^/]+)$/.exec(url.pathname) ?? [];
    if (name === undefined || !served.has(name)) return site(request, exchange);
    url.pathname = `/${name}`;
    const answer = await files(new Request(url, { method: request.method, headers: request.headers }));
    for (const [header, value] of Object.entries(headers)) answer.headers.set(header, value);
    return answer;
  };
}
