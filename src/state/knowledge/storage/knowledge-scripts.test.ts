import { beforeAll, describe, expect, it } from "vitest";
import { signUp, type SignedIn } from "../../../../supabase/local/testing/clients.ts";
import { sharedTestStack } from "../../../../supabase/local/testing/shared-stack.ts";
import {
  isSearchLanguage as isLanguage,
  type SearchLanguage,
  searchLanguages,
} from "../../../engine/knowledge/search-languages.ts";
import { createKnowledgeRepository } from "./knowledge-repository.ts";
import { createKnowledgeStore } from "./knowledge-store.ts";
import { scriptSamples } from "./testing/script-samples.ts";

const stack = await sharedTestStack();
let alice: SignedIn;

beforeAll(async () => {
  alice = await signUp(stack);
});

const repository = () => createKnowledgeRepository(alice.client);

/** A collection with one document for each text, none of them with a vector. */
async function collectionOf(documents: readonly string[], draft: { language?: SearchLanguage } = {}) {
  const { id } = await repository().create({ name: "Shop", ...draft });
  const ids: string[] = [];
  for (const [number, text] of documents.entries()) {
    const document = {
      name: `${number}`,
      kind: "text" as const,
      source: "",
      sections: [{ headings: [], text }],
      size: 1,
    };
    const { id: documentId } = await repository().putDocument(id, document, { hash: `${number}` });
    const chunk = { position: 0, heading: "", content: text, hash: "0", tokens: 5, metadata: {}, embedding: null };
    await repository().addChunks(documentId, [chunk], null);
    await repository().finishDocument(documentId, { status: "ready", costUsd: 0 });
    ids.push(documentId);
  }
  return { id, ids };
}

/** With the least score that a knowledge base tool asks for by default. */
const find = async (collection: string, text: string) =>
  (await createKnowledgeStore(alice.client).search({ collection, text, mode: "keyword", limit: 5, minScore: 0.7 })).map(
    (hit) => hit.content,
  );

/** Of the best hit; 1 where all words were found as such, not only similar ones. */
const score = async (collection: string, text: string) =>
  (await createKnowledgeStore(alice.client).search({ collection, text, mode: "keyword", limit: 1 }))[0]?.score;

describe("keyword search in every script", () => {
  it.each(Object.entries(scriptSamples))(
    "finds the passage for each question in %s",
    async (name, { language, texts, questions }) => {
      const { id, ids } = await collectionOf(texts);
      for (const [number, asked] of questions.entries()) {
        for (const question of asked) expect((await find(id, question))[0], `${name}: ${question}`).toBe(texts[number]);
      }
      expect((await repository().document(ids[0] ?? "")).language).toBe(language);
    },
  );

  it("finds them also in a collection of all languages", async () => {
    const { id } = await collectionOf(Object.values(scriptSamples).map(({ texts }) => texts.join("\n")));
    for (const [name, { texts, questions }] of Object.entries(scriptSamples)) {
      // "Garantie" is a word of several of them.
      for (const question of questions.flat())
        expect(await find(id, question), `${name}: ${question}`).toContain(texts.join("\n"));
    }
  });

  it("reads quotes and minus where there are no blanks", async () => {
    const texts = ["退货政策：三十天内退货。", "换货政策：只换不退。货到付款。"];
    const { id } = await collectionOf(texts);
    expect(await find(id, "退货")).toEqual([texts[0]]);
    expect(await find(id, "政策 -退货")).toEqual([texts[1]]);
    expect(await find(id, '"换货政策" 退货')).toEqual([texts[1]]);
    expect(await find(id, '"货政"')).toHaveLength(2);
    expect(await find(id, "-政策")).toEqual([]);
    expect(await find(id, "款")).toEqual([texts[1]]);
  });

  it("keeps words of another language than the document's, and those that are stop words in another one", async () => {
    const { id } = await collectionOf([
      "Die Rückgabe ist innerhalb von dreißig Tagen und nur mit der Rechnung möglich.",
      "If a pump will die, send it to us and we will repair it within two weeks.",
    ]);
    expect((await find(id, "what will I do if it dies"))[0]).toContain("pump");
    expect((await find(id, "die pump"))[0]).toContain("pump");
    expect((await find(id, "Die Rückgaben"))[0]).toContain("Rückgabe");
  });
});

/** Indexes what waits, as a worker or an open page does. */
async function reindex(): Promise<number> {
  for (let rounds = 1; ; rounds += 1) if (!(await repository().reindex())) return rounds;
}

describe("the language of a document", () => {
  const text = "Los plazos de entrega y las devoluciones";

  it("is the collection's where that is set, and follows it", async () => {
    const { id, ids } = await collectionOf([text], { language: "german" });
    const language = async () => (await repository().document(ids[0] ?? "")).language;
    expect(await language()).toBe("german");
    expect(await score(id, "entregar")).toBeLessThan(0.9);
    expect((await repository().update(id, { language: "spanish" })).language).toBe("spanish");
    await reindex();
    expect(await language()).toBe("spanish");
    expect(await score(id, "entregar")).toBe(1);
    await repository().update(id, { language: "simple" });
    await repository().update(id, { language: null });
    await reindex();
    expect(await language()).toBe("spanish");
  });

  it("is a person's choice before that", async () => {
    const { id, ids } = await collectionOf([text, "A plain English text about the delivery."]);
    const document = () => repository().document(ids[1] ?? "");
    const before = (await document()).updatedAt;
    await repository().setDocumentLanguage(ids[1] ?? "", "simple");
    await reindex();
    expect(await document()).toMatchObject({ language: "simple", languageChosen: true, updatedAt: before });
    expect(await find(id, '"about deliveries"')).toEqual([]);
    await repository().update(id, { language: "french" });
    await reindex();
    expect((await document()).language).toBe("simple");
    await repository().setDocumentLanguage(ids[1] ?? "", null);
    await reindex();
    expect(await document()).toMatchObject({ language: "french", languageChosen: false });
  });

  it("may be every one that the studio names, and no other", async () => {
    const { ids } = await collectionOf([text]);
    for (const language of Object.keys(searchLanguages).filter(isLanguage)) {
      await repository().setDocumentLanguage(ids[0] ?? "", language);
      await reindex();
      expect((await repository().document(ids[0] ?? "")).language).toBe(language);
    }
    const { error } = await alice.client
      .from("studio_knowledge_documents")
      .update({ language: "klingon" })
      .eq("id", ids[0] ?? "");
    expect(error?.message).toContain("language");
  });

  it("is guessed and indexed later for what was stored before, which is found meanwhile", async () => {
    const { id, ids } = await collectionOf(["Retours acceptés dans les trente jours, et les échanges aussi."]);
    // As a studio of before left it: English stems, and nobody knew the language.
    await stack.sql(
      `do $$ begin
         perform set_config('session_replication_role', 'replica', true);
         update public.studio_knowledge_documents set language = null, stale = true where id = '${ids[0]}';
         update public.studio_knowledge_chunks set language = null, search = to_tsvector('pg_catalog.english', content)
         where document_id = '${ids[0]}';
       end $$`,
    );
    expect(await find(id, "retours")).toHaveLength(1);
    expect(await score(id, "accepter un échange")).toBeLessThan(0.9);
    await reindex();
    expect((await repository().document(ids[0] ?? "")).language).toBe("french");
    expect(await score(id, "accepter un échange")).toBe(1);
    expect(await reindex()).toBe(1);
  });

  it("S40 is nobody else's to change or to index", async () => {
    const bob = await signUp(stack);
    const { ids } = await collectionOf([text], { language: "german" });
    await repository().setDocumentLanguage(ids[0] ?? "", "spanish");
    const theirs = createKnowledgeRepository(bob.client);
    expect(await theirs.reindex()).toBe(false);
    await expect(theirs.setDocumentLanguage(ids[0] ?? "", "dutch")).rejects.toMatchObject({ kind: "not-found" });
    const stale = () => stack.sql(`select stale from public.studio_knowledge_documents where id = '${ids[0]}'`);
    expect(await stale()).toEqual([{ stale: true }]);
    await reindex();
    expect(await stale()).toEqual([{ stale: false }]);
  });
});
