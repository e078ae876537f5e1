import "../ui/theme/site.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { readSiteConfig } from "../state/shared/storage/site-config.ts";
import { ServicesProvider } from "../services/services-context.tsx";
import { titleCutText } from "../ui/text/title-cut-text.ts";
import { App } from "./app.tsx";
import { createServices } from "./create-services.ts";
import { SetupPage } from "./pages/setup-page.tsx";
import { createQueryClient } from "./query-client.ts";
import { SessionProvider } from "./session.tsx";
import { SiteProvider } from "./site-context.tsx";

const container = document.getElementById("root");
if (container === null) throw new Error("The page has no #root element.");

const config = readSiteConfig(
  document.getElementById("switchyard-config")?.textContent ?? null,
  { url: import.meta.env.VITE_SUPABASE_URL, key: import.meta.env.VITE_SUPABASE_KEY },
  window.location.origin,
);

titleCutText(document);

createRoot(container).render(
  <StrictMode>
    {config === null ? (
      <SetupPage />
    ) : (
      <QueryClientProvider client={createQueryClient()}>
        <ServicesProvider services={createServices(config)}>
          <SiteProvider value={config}>
            <SessionProvider>
              <App />
            </SessionProvider>
          </SiteProvider>
        </ServicesProvider>
      </QueryClientProvider>
    )}
  </StrictMode>,
);
