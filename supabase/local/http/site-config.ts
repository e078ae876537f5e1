import type { SignUpMode } from "../auth/sign-up.ts";

/** What the site needs to know about its backend; the empty URL means the page's own origin. */
export interface SiteConfig {
  supabaseUrl: string;
  supabaseKey: string;
  /** Who may create an account; anybody when absent. */
  signUp?: SignUpMode;
  /** Whether a forgotten password is replaced by a link that comes by mail; not when absent. */
  mail?: boolean;
  /** Whether only this machine reaches the studio; not when absent. */
  local?: boolean;
  /** The address of a list of templates; none when absent. */
  gallery?: string;
  /** The address of a list of models with their prices; none when absent. */
  prices?: string;
}

/**
 * Puts the configuration into the page as `<script type="application/json" id="switchyard-config">`, which saves a
 * request and, being data, passes the content security policy.
 */
export function withSiteConfig(html: string, config: SiteConfig): string {
  const json = JSON.stringify(config).replaceAll("<", "\\u003c");
  const script = `<script type="application/json" id="switchyard-config">${json}</script>`;
  const at = html.search(/<\/head>/i);
  return at === -1 ? script + html : `${html.slice(0, at)}${script}\n  ${html.slice(at)}`;
}
