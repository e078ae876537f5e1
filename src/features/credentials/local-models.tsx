import { compatibleServers } from "../../engine/vendors/compatible-servers.ts";
import { preferredModel } from "../../forms/model-options.ts";
import { openaiCompatibleProvider } from "../../providers/openai-compatible.ts";
import type { LocalModelServer } from "../../services/services.ts";
import { useServices } from "../../services/services-context.tsx";
import { localServerCredential, noLocalServer } from "../../state/credential/local-servers.ts";
import { useEditor } from "../../state/editor/editor-context.tsx";
import { FindAndUse } from "../../ui/overlays/find-and-use.tsx";
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
  return (
    <FindAndUse
      name="Models on this computer"
      what="Ollama or LM Studio on this computer"
      find={find}
      titleOf={({ id }) => compatibleServers[id].title}
      isUsable={({ models }) => models.length > 0}
      nothing={(servers) => noLocalServer(servers, "models")}
      use={async (server) => {
        const credential = await localServerCredential(server, credentials);
        await cache.refresh();
        return { server, credential };
      }}
      onUsed={({ server: { models }, credential }) => {
        const model = preferredModel(
          [],
          models.map((id) => ({ id })),
        );
        const mustSayPrice = needsPrice({ provider, credential, model }, document.getState().document);
        put({ provider, credential, model, ...(mustSayPrice ? { prices: { inputPrice: 0, outputPrice: 0 } } : {}) });
        onUsed();
      }}
    />
  );
}
