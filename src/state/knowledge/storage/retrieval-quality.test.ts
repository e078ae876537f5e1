import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { signUp, type SignedIn } from "../../../../supabase/local/testing/clients.ts";
import { sharedTestStack, type SharedStack } from "../../../../supabase/local/testing/shared-stack.ts";
import type { QualityResult } from "../../../services/retrieval-quality.ts";
import { createKnowledgeRepository } from "./knowledge-repository.ts";
import { createRetrievalQuality } from "./retrieval-quality.ts";

let stack: SharedStack;
let alice: SignedIn;
let bob: SignedIn;

beforeAll(async () => {
  stack = await sharedTestStack();
  [alice, bob] = [await signUp(stack), await signUp(stack)];
});

const open = ({ client }: SignedIn) => ({
  knowledge: createKnowledgeRepository(client),
  quality: createRetrievalQuality(client),
});

const newCollection = async () => (await open(alice).knowledge.create({ name: "Handbook" })).id;
const asked = (question: string) => ({ question, passages: [{ document: "a.md", quote: "Within 30 days." }] });

const resultOf = (costUsd: number): QualityResult => ({
  questions: ["When?"],
  ways: [{ mode: "keyword", rerank: null, ranks: [[1, null]] }],
  costUsd,
  documents: 1,
  chunks: 2,
  embedding: null,
  chunking: { size: 800, overlap: 100 },
});

it("keeps questions in order, changes and deletes them", async () => {
  const { quality } = open(alice);
  const id = await newCollection();
  await quality.addQuestions(id, [asked("When?")]);
  await quality.addQuestions(id, [asked("Who?")]);
  const [first, second] = await quality.questions(id);
  expect([first?.question, second?.question]).toEqual(["When?", "Who?"]);
  await quality.changeQuestion(first?.id ?? "", asked("Until when?"));
  await quality.removeQuestion(second?.id ?? "");
  expect(await quality.questions(id)).toEqual([{ id: first?.id, ...asked("Until when?") }]);
});

it("says so where a question is gone, and where there are too many", async () => {
  const { quality } = open(alice);
  const id = await newCollection();
  await expect(quality.changeQuestion(randomUUID(), asked("When?"))).rejects.toThrow("does not exist");
  const many = Array.from({ length: 501 }, (_, at) => asked(`${at}?`));
  await expect(quality.addQuestions(id, many)).rejects.toThrow("at most 500 questions");
});

it("keeps the latest 20 measurements", async () => {
  const { quality } = open(alice);
  const id = await newCollection();
  for (let at = 0; at < 22; at += 1) await quality.keepMeasurement(id, resultOf(at));
  const kept = await quality.measurements(id);
  expect(kept.map(({ result }) => result.costUsd)).toEqual(Array.from({ length: 20 }, (_, at) => 21 - at));
  expect(kept[0]?.result).toEqual(resultOf(21));
  const rows = await stack.sql<{ count: number }>(
    "select count(*)::int as count from public.studio_knowledge_measurements where collection_id = $1",
    [id],
  );
  expect(rows).toEqual([{ count: 20 }]);
});

it("shows and changes nothing of others", async () => {
  const id = await newCollection();
  await open(alice).quality.addQuestions(id, [asked("When?")]);
  await open(alice).quality.keepMeasurement(id, resultOf(0));
  const [question] = await open(alice).quality.questions(id);
  const { quality } = open(bob);
  expect(await quality.questions(id)).toEqual([]);
  expect(await quality.measurements(id)).toEqual([]);
  await expect(quality.changeQuestion(question?.id ?? "", asked("Mine?"))).rejects.toThrow("does not exist");
  await expect(quality.addQuestions(id, [asked("Mine?")])).rejects.toThrow("save the questions");
  await expect(quality.keepMeasurement(id, resultOf(0))).rejects.toThrow("save the measurement");
  await quality.removeQuestion(question?.id ?? "");
  expect(await open(alice).quality.questions(id)).toHaveLength(1);
});

it("keeps how a collection is searched", async () => {
  const { knowledge } = open(alice);
  const id = await newCollection();
  expect((await knowledge.collection(id)).searchMode).toBeNull();
  expect((await knowledge.update(id, { searchMode: "keyword" })).searchMode).toBe("keyword");
  expect((await knowledge.update(id, { searchMode: null })).searchMode).toBeNull();
});
