import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import type { WorkflowDocument } from "../src/engine/document/workflow-document.ts";
import { createAuthService } from "../src/state/account/storage/auth-service.ts";
import { createCredentialRepository } from "../src/state/credential/storage/credential-repository.ts";
import { createRunRepository } from "../src/state/run/storage/run-repository.ts";
import { createSupabaseClient, sessionStorageKey } from "../src/state/shared/storage/supabase-client.ts";
import { createWorkflowRepository } from "../src/state/document/storage/workflow-repository.ts";

/** A guest of a studio, who can prepare what a test begins with. */
export type Guest = Awaited<ReturnType<typeof newGuest>>;

/** Makes a guest of the studio at `url`. `storage`: what a browser has to keep to be that guest. */
export async function newGuest({ url }: { url: string }) {
  const html = await (await fetch(url)).text();
  const config = /id="switchyard-config"[^>]*>([^<]+)</.exec(html)?.[1];
  if (config === undefined) throw new Error("The studio's page names no Supabase.");
  const { supabaseKey } = JSON.parse(config) as { supabaseKey: string };
  const client = createSupabaseClient({ supabaseUrl: url, supabaseKey, embedded: true }, { persistSession: false });
  const kept = new Map<string, string>();
  const account = await createAuthService(client, {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  }).enterAsGuest();
  const { data } = await client.auth.getSession();
  kept.set(sessionStorageKey, JSON.stringify(data.session));
  const workflows = createWorkflowRepository(client);
  return {
    url,
    client,
    accountId: account.id,
    workflows,
    runs: createRunRepository(client),
    storage: Object.fromEntries(kept),
    /** Stores the workflow; gives the address of its editor. */
    async addressOf(document: WorkflowDocument) {
      await workflows.create(document);
      return `${url}/w/${document.id}`;
    },
    /** The id of a credential for an OpenAI-compatible server. */
    async credentialFor(baseUrl: string, { name = "Vendor", apiKey = "test-key-vendor" } = {}) {
      const { id } = await createCredentialRepository(client).save({
        name,
        type: "openai-compatible",
        fields: { baseUrl, apiKey },
        allowedHosts: [new URL(baseUrl).host],
      });
      return id;
    },
  };
}

/** Signs a page whose base URL is a studio in as a new guest of it, from the next navigation on. */
export async function signInAsGuest(page: Page): Promise<Guest> {
  const landed = await page.request.get("/");
  const guest = await newGuest({ url: new URL(landed.url()).origin });
  await page.addInitScript(
    ({ storage, mark, origin }) => {
      // Once only, so that signing out lasts.
      if (self.origin !== origin || sessionStorage.getItem(mark) !== null) return;
      sessionStorage.setItem(mark, "");
      for (const [key, value] of Object.entries(storage)) localStorage.setItem(key, value);
    },
    { storage: guest.storage, mark: `test:${randomUUID()}`, origin: guest.url },
  );
  return guest;
}
