import { createContext, useContext } from "react";
import type { SiteConfig } from "../state/shared/storage/site-config.ts";

const SiteContext = createContext<SiteConfig>({
  supabaseUrl: "",
  supabaseKey: "",
  embedded: true,
  signUp: "open",
  mail: false,
  local: false,
  gallery: null,
  prices: null,
});

export const SiteProvider = SiteContext;

/** Which backend this site talks to. */
export function useSite(): SiteConfig {
  return useContext(SiteContext);
}
