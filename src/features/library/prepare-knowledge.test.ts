import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { knowledgePage, startOwnKnowledge, type OwnKnowledge } from "../../../supabase/local/testing/own-knowledge.ts";
import type { KnowledgeRepository } from "../../services/knowledge.ts";
import { ServiceError } from "../../services/services.ts";
import { prepareKnowledge } from "./prepare-knowledge.ts";
import { supportWithKnowledge } from "./templates/support-with-knowledge.ts";
import type { TemplateKnowledge } from "./templates/workflow-template.ts";

let alice: OwnKnowledge;
let repository: KnowledgeRepository;

beforeAll(async () => {
  alice = await startOwnKnowledge();
  repository = alice.repository;
});

afterAll(() => alice.stop());

const wanted: TemplateKnowledge = supportWithKnowledge.knowledge ?? { name: "", description: "", documents: [] };

describe("a template's example documents", () => {
  it("become a collection that is searched by keyword, and a second use takes the same one", async () => {
    const id = (await prepareKnowledge(knowledgePage(alice), wanted)) ?? "";
    expect(await repository.collection(id)).toMatchObject({ name: wanted.name, embedding: null, documents: 3 });
    const hits = await repository.search({
      collection: id,
      text: supportWithKnowledge.example ?? "",
      mode: "keyword",
      limit: 5,
      minScore: 0.7,
    });
    expect(hits[0]?.metadata.document).toBe("Returns and refunds.md");
    expect(await prepareKnowledge(knowledgePage(alice), wanted)).toBe(id);
  });

  it("leave nothing behind when nobody wants them any more once they are there", async () => {
    const other = { ...wanted, name: "A handbook for nobody" };
    expect(await prepareKnowledge(knowledgePage(alice), other, () => false)).toBeUndefined();
    expect((await repository.collections()).map(({ name }) => name)).not.toContain(other.name);
  });

  it("leave nothing behind when one of them cannot be stored", async () => {
    const other = { ...wanted, name: "Another handbook" };
    const addChunks = () => Promise.reject(new ServiceError("server", "The disk is full.", "Free up space."));
    await expect(prepareKnowledge(knowledgePage(alice, { over: { addChunks } }), other)).rejects.toMatchObject({
      message: expect.stringContaining("The disk is full."),
      hint: "Free up space.",
    });
    expect((await repository.collections()).map(({ name }) => name)).not.toContain(other.name);
  });
});
