import { useQueryClient } from "@tanstack/react-query";
import type { KnowledgeEmbedding } from "../../engine/knowledge/knowledge.ts";
import { compatibleServers } from "../../engine/vendors/compatible-servers.ts";
import { localEmbedding } from "../../engine/model/free-embeddings.ts";
import type { LocalModelServer } from "../../services/services.ts";
import { useServices } from "../../services/services-context.tsx";
import { localServerCredential, noLocalServer } from "../../state/credential/local-servers.ts";
import { FindAndUse } from "../../ui/overlays/find-and-use.tsx";
import { useKeepListed } from "./use-listed-embeddings.ts";

interface LocalEmbeddingsProps {
  find: () => Promise<LocalModelServer[]>;
  onUse: (embedding: KnowledgeEmbedding) => void;
}

/** The way to an embedding model of Ollama or LM Studio: both are asked at a click. */
export function LocalEmbeddings({ find, onUse }: LocalEmbeddingsProps) {
  const { credentials } = useServices();
  const queries = useQueryClient();
  const keepListed = useKeepListed();
  return (
    <FindAndUse
      name="Embeddings on this computer"
      what="Ollama or LM Studio on this computer"
      find={find}
      titleOf={({ id }) => compatibleServers[id].title}
      isUsable={({ embeddingModels }) => embeddingModels.length > 0}
      nothing={(servers) => noLocalServer(servers, "embedding model")}
      use={async (server) => {
        const credential = await localServerCredential(server, credentials);
        await queries.invalidateQueries({ queryKey: ["credentials"] });
        return { server, credential };
      }}
      onUsed={({ server: { embeddingModels }, credential: { id: credential } }) => {
        keepListed(localEmbedding, credential, embeddingModels);
        onUse({ provider: localEmbedding, model: embeddingModels[0] ?? "", credential });
      }}
    />
  );
}
