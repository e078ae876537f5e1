import { describe, expect, it } from "vitest";
import { type KeptCollection, knowledgeStore } from "../../../engine/in-memory/knowledge-store.ts";
import { realSleep } from "../../../engine/testing/real-sleep.ts";
import { runToEnd } from "../../../engine/testing/run-to-end.ts";
import { testHost } from "../../../engine/testing/test-host.ts";
import { citationsIn } from "../../../nodes/knowledge/citations.ts";
import { nodeRegistry } from "../../../nodes/index.ts";
import { supportDocuments } from "./support-documents.ts";
import { supportWithKnowledge } from "./support-with-knowledge.ts";

/** The example documents, one chunk per second heading. */
const chunks = supportDocuments.flatMap(({ name, text }) =>
  text
    .split(/^## /m)
    .slice(1)
    .map((part, position) => {
      const [heading = "", ...lines] = part.split("\n");
      const metadata = { documentId: name, document: name, heading, position };
      return { chunkId: `${name} ${position}`, content: lines.join("\n").trim(), metadata };
    }),
);
const handbook: KeptCollection = { id: "c", name: "Lamp shop handbook", embedding: null, dimension: null, chunks };

async function ask(message: string) {
  const host = { ...testHost({ knowledge: knowledgeStore([handbook]) }), sleep: realSleep };
  const document = supportWithKnowledge.build("d", "c");
  for (const node of Object.values(document.nodes)) if (node.type === "demo-model") node.config["wordDelayMs"] = 0;
  const run = await runToEnd(document, { registry: nodeRegistry, host, input: { message, sessionId: "s" } });
  expect(run.end).toMatchObject({ outcome: "completed" });
  const [result] = run.of("tool-call-end");
  return { answer: JSON.stringify(run.end.output), cited: citationsIn(result ? [result.output] : []) };
}

describe("the template “Support bot with knowledge”", () => {
  it.each([
    [supportWithKnowledge.example ?? "", "Returns and refunds.md", "within 30 days"],
    ["Which bulb fits a floor lamp?", "Care and warranty.md", "E27"],
    ["What does delivery to Germany cost?", "Shipping.md", "5.90 euros"],
    ["My parcel arrived damaged. What now?", "Shipping.md", "send us the pictures"],
  ])("answers “%s” from %s", async (question, document, words) => {
    const { answer, cited } = await ask(question);
    expect(answer).toContain(document);
    expect(answer).toContain(words);
    expect(cited[0]?.document).toBe(document);
  });

  it("says so when the handbook has nothing", async () => {
    const { answer, cited } = await ask("Who won the chess championship?");
    expect(answer).toContain("found nothing about that");
    expect(cited).toEqual([]);
  });
});
