import type { Host } from "../../../src/engine/host.ts";
import { testHost } from "../../../src/engine/testing/test-host.ts";
import { createFileService } from "../../../src/state/file/storage/file-service.ts";
import { createKnowledgeRepository } from "../../../src/state/knowledge/storage/knowledge-repository.ts";
import { createPendingSources } from "../../../src/state/knowledge/storage/pending-sources.ts";
import { createSourceReader } from "../../../src/state/knowledge/storage/read-source.ts";
import type { KnowledgeRepository } from "../../../src/services/knowledge.ts";
import type { Account, FileService } from "../../../src/services/services.ts";
import { signUp } from "./clients.ts";
import { startTestStack } from "./start-stack.ts";
import { documentsInThreads } from "../../../worker/runtime/documents.ts";

const documents = documentsInThreads({ deadlineMs: 600_000 });

/** One signed-in user of a stack, and their knowledge. */
export interface OwnKnowledge {
  userId: string;
  repository: KnowledgeRepository;
  files: FileService;
  stop(): Promise<void>;
}

/** Starts a stack for a new user; `functions` also keep files. */
export async function startOwnKnowledge({ functions = false } = {}): Promise<OwnKnowledge> {
  const stack = await startTestStack({ functions });
  const { client, userId, accessToken } = await signUp(stack);
  const files = createFileService({
    functionsUrl: `${stack.url}/functions/v1`,
    publishableKey: stack.key,
    accessToken: () => Promise.resolve(accessToken),
  });
  return { userId, repository: createKnowledgeRepository(client), files, stop: () => stack.stop() };
}

/**
 * The services by which a page of this user reads and stores documents. `over` replaces parts of the repository, `host`
 * reads addresses and answers embedding requests; `signOut` tells whoever listens that the user went.
 */
export function knowledgePage(
  { userId, repository, files: ownFiles }: OwnKnowledge,
  {
    over = {},
    files = ownFiles,
    host = testHost(),
    pending = createPendingSources(undefined),
  }: Partial<PageParts> = {},
) {
  const account: Account = { id: userId, guest: false };
  const listeners = new Set<(account: Account | null) => void>();
  return {
    auth: {
      current: () => Promise.resolve(account),
      onChange(listener: (account: Account | null) => void) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    knowledge: { ...repository, ...over },
    knowledgeSources: { reader: createSourceReader(host.callFunction, documents), pending },
    files,
    createHost: () => host,
    signOut() {
      for (const listener of listeners) listener(null);
    },
  };
}

interface PageParts {
  over: Partial<KnowledgeRepository>;
  files: Pick<FileService, "add">;
  host: Host;
  pending: ReturnType<typeof createPendingSources>;
}
