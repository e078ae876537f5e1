import { expect, it } from "vitest";
import type { EvaluationCase } from "../../evaluation/suite/evaluation-case.ts";
import { readSuite, type Suite } from "../../evaluation/suite/suite.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import type { DocumentSummary } from "../../services/knowledge.ts";
import type { Services } from "../../services/services.ts";
import { assertionsFor, generateCases } from "./generate-cases.ts";
import { noPrices } from "./model-price.ts";

const documentOf = (id: string, chunks: number) => ({ id, name: `${id}.md`, chunks }) as DocumentSummary;

function suiteOf(rest: object): Suite {
  const read = readSuite({ workflow: "w", dataset: "d", ...rest });
  if (!read.ok) throw new Error(read.problems.join(" "));
  return read.suite;
}

it("checks cases by what the suite has for it", () => {
  expect(assertionsFor(suiteOf({ defaultAssert: [{ type: "contains", value: "{{expected}}" }] }))).toEqual({});
  expect(assertionsFor(suiteOf({}))).toMatchObject({ assert: [{ type: "icontains", value: "{{expected}}" }] });
  const judge = { provider: "openai", model: "m" };
  expect(assertionsFor(suiteOf({ judge }))).toMatchObject({ assert: [{ type: "llm-rubric" }] });
});

function generate(documents: DocumentSummary[], provider: string) {
  const made: EvaluationCase[] = [];
  const knowledge = {
    documents: () => Promise.resolve(documents),
    chunks: () => Promise.resolve([{ heading: "", content: "Refunds are paid within 14 days." }]),
  } as unknown as Services["knowledge"];
  const done = generateCases(
    { knowledge, createHost: () => testHost() },
    {
      collectionId: "c",
      workflowId: "w",
      model: { provider, model: "demo", credential: "", ...noPrices },
      count: 2,
      taken: [],
      signal: new AbortController().signal,
      onCase: (one) => made.push(one),
    },
  );
  return { done, made };
}

it("makes as many cases as are wanted, and says which document each is of", async () => {
  const { done, made } = generate([documentOf("a", 3)], "demo");
  await done;
  const one = { input: expect.any(String), expected: expect.any(String), metadata: { document: "a.md" } };
  expect(made).toMatchObject([one, one]);
});

it("says what is wrong with a collection without texts, and with an unknown provider", async () => {
  await expect(generate([documentOf("a", 0)], "demo").done).rejects.toThrow("no documents that were read");
  await expect(generate([documentOf("a", 1)], "nobody").done).rejects.toThrow('no model provider "nobody"');
});
