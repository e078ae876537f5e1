import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signUp, type SignedIn } from "../../../supabase/local/testing/clients.ts";
import { startTestStack, type TestStack } from "../../../supabase/local/testing/start-stack.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { createKnowledgeRepository } from "../../host/knowledge/knowledge-repository.ts";
import { createPendingSources } from "../../host/knowledge/pending-sources.ts";
import { createSourceReader } from "../../host/knowledge/read-source.ts";
import type { KnowledgeRepository } from "../../stores/knowledge-services.ts";
import { ServiceError } from "../../stores/services.ts";
import { prepareKnowledge } from "./prepare-knowledge.ts";
import { supportWithKnowledge } from "./templates/support-with-knowledge.ts";
import type { TemplateKnowledge } from "./templates/workflow-template.ts";

let stack: TestStack;
let alice: SignedIn;
let repository: KnowledgeRepository;

beforeAll(async () => {
  stack = await startTestStack();
  alice = await signUp(stack);
  repository = createKnowledgeRepository(alice.client);
});

afterAll(() => stack.stop());

/** What a page brings; `over` replaces parts of the repository. */
function services(over: Partial<KnowledgeRepository> = {}) {
  const host = testHost();
  return {
    auth: { current: () => Promise.resolve({ id: alice.userId, guest: false }), onChange: () => () => {} },
    knowledge: { ...repository, ...over },
    knowledgeSources: () =>
      Promise.resolve({ reader: createSourceReader(host.callFunction, {}), pending: createPendingSources(undefined) }),
    createHost: () => host,
  };
}

const wanted: TemplateKnowledge = supportWithKnowledge.knowledge ?? { name: "", description: "", documents: [] };

describe("a template's example documents", () => {
  it("become a collection that is searched by keyword, and a second use takes the same one", async () => {
    const id = await prepareKnowledge(services(), wanted);
    expect(await repository.collection(id)).toMatchObject({ name: wanted.name, embedding: null, documents: 3 });
    const hits = await repository.search({
      collection: id,
      text: supportWithKnowledge.example ?? "",
      mode: "keyword",
      limit: 5,
      minScore: 0.7,
    });
    expect(hits[0]?.metadata.document).toBe("Returns and refunds.md");
    expect(await prepareKnowledge(services(), wanted)).toBe(id);
  });

  it("leave nothing behind when one of them cannot be stored", async () => {
    const other = { ...wanted, name: "Another handbook" };
    const addChunks = () => Promise.reject(new ServiceError("server", "The disk is full.", "Make room."));
    await expect(prepareKnowledge(services({ addChunks }), other)).rejects.toMatchObject({
      message: expect.stringContaining("The disk is full."),
      hint: "Make room.",
    });
    expect((await repository.collections()).map(({ name }) => name)).not.toContain(other.name);
  });
});
