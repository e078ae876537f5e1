import { useState } from "react";
import { compatibleServers } from "../../engine/vendors/compatible-servers.ts";
import { preferredModel } from "../../forms/model-options.ts";
import { openaiCompatibleProvider } from "../../providers/openai-compatible.ts";
import type { CredentialRepository, CredentialSummary, LocalModelServer } from "../../services/services.ts";
import { useServices } from "../../services/services-context.tsx";
import { useEditor } from "../../state/editor/editor-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { errorHint } from "../../ui/feedback/error-hint.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { useDialogMutation } from "../../ui/overlays/use-dialog-mutation.ts";
import { useCredentialCache } from "./credential-cache.ts";
import { needsPrice, useChosenModel } from "./use-chosen-model.ts";

const provider = openaiCompatibleProvider;

interface LocalModelsProps {
  find: () => Promise<LocalModelServer[]>;
  onUsed: () => void;
}

/** The way to a model of Ollama or LM Studio: both are asked for their models at a click, and the first one that has any answers. */
export function LocalModels({ find, onUsed }: LocalModelsProps) {
  const { document } = useEditor();
  const { credentials } = useServices();
  const cache = useCredentialCache();
  const put = useChosenModel();
  /** What answered, where that is none or more than one. */
  const [found, setFound] = useState<LocalModelServer[] | null>(null);

  const use = useDialogMutation({
    save: async (server: LocalModelServer) => ({ server, credential: await credentialFor(server, credentials) }),
    refresh: cache.refresh,
    showsError: true,
  });
  const connect = (server: LocalModelServer) =>
    use.submit(server, {
      onDone: ({ server: { models }, credential }) => {
        const model = preferredModel(
          [],
          models.map((id) => ({ id })),
        );
        const mustSayPrice = needsPrice({ provider, credential, model }, document.getState().document);
        put({ provider, credential, model, ...(mustSayPrice ? { prices: { inputPrice: 0, outputPrice: 0 } } : {}) });
        onUsed();
      },
    });
  const look = useDialogMutation({ save: find, showsError: true });
  const failure = look.error ?? use.error;
  const ready = found?.filter(({ models }) => models.length > 0) ?? [];

  return (
    <section aria-label="Models on this computer" className="flex flex-col gap-2 rounded-md border py-2 pr-2 pl-2.5">
      <div className="flex flex-wrap items-center gap-2">
        <p className="min-w-40 flex-1">Ollama or LM Studio on this computer</p>
        {ready.length > 1 ? (
          ready.map((server) => (
            <Button key={server.id} size="sm" busy={use.isPending} onClick={() => connect(server)}>
              Use {compatibleServers[server.id].title}
            </Button>
          ))
        ) : (
          <Button
            size="sm"
            icon="monitor"
            busy={look.isPending || use.isPending}
            onClick={() =>
              look.submit(undefined, {
                onDone: (servers) => {
                  setFound(servers);
                  const [first, ...others] = servers.filter(({ models }) => models.length > 0);
                  if (first !== undefined && others.length === 0) connect(first);
                },
              })
            }
          >
            Find and use it
          </Button>
        )}
      </div>
      {found !== null && ready.length === 0 && !look.isPending && (
        <Notice tone="warning" title={nothingFound(found)}>
          {found.length === 0 ? "Start one of them, then try again." : "Download a model there, then try again."}
        </Notice>
      )}
      {failure !== null && (
        <Notice tone="danger" title={failure.message}>
          {errorHint(failure)}
        </Notice>
      )}
    </section>
  );
}

function nothingFound(servers: readonly LocalModelServer[]): string {
  if (servers.length === 0) return "Neither Ollama nor LM Studio answers on this computer.";
  const titles = servers.map(({ id }) => compatibleServers[id].title).join(" and ");
  return `${titles} ${servers.length === 1 ? "has" : "have"} no models yet.`;
}

/** The stored credential without a key for a server of this machine, or a new one. */
async function credentialFor(server: LocalModelServer, credentials: CredentialRepository): Promise<CredentialSummary> {
  const { host } = new URL(server.baseUrl);
  const { rows } = await credentials.page({ limit: 100, types: provider.credentialTypes });
  const stored = rows.find(({ allowedHosts, lastFour }) => allowedHosts[0] === host && lastFour === "");
  if (stored !== undefined) return stored;
  const [type = ""] = provider.credentialTypes;
  return credentials.save({ name: compatibleServers[server.id].title, type, fields: { baseUrl: server.baseUrl } });
}
