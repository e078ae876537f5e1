import approveCases from "../../../examples/approve-refunds/cases.csv?raw";
import approveSuite from "../../../examples/approve-refunds/approve-refunds.suite.json?raw";
import askCases from "../../../examples/ask-with-tools/cases.jsonl?raw";
import askSuite from "../../../examples/ask-with-tools/ask-with-tools.suite.json?raw";
import extractCases from "../../../examples/extract-json/cases.jsonl?raw";
import extractSuite from "../../../examples/extract-json/extract-json.suite.json?raw";
import { readCaseLines, readCaseTable, type ReadCases } from "../../evaluation/suite/evaluation-case.ts";
import { templateDocument } from "../../features/library/templates/template-document.ts";
import { templates } from "../../features/library/templates/index.ts";
import type { JsonObject } from "../../engine/json.ts";
import { newId } from "../../state/shared/new-id.ts";
import { ServiceError, type Services } from "../../services/services.ts";

/** Templates whose suites are in `examples/`; `npm run evaluate` takes the same files. */
const examples: Readonly<Record<string, { suite: string; cases(): Promise<ReadCases> }>> = {
  "ask-with-tools": { suite: askSuite, cases: () => Promise.resolve(readCaseLines(askCases)) },
  "approve-refunds": {
    suite: approveSuite,
    async cases() {
      const { default: Papa } = await import("papaparse");
      return readCaseTable(Papa.parse<string[]>(approveCases).data);
    },
  },
  "extract-json": { suite: extractSuite, cases: () => Promise.resolve(readCaseLines(extractCases)) },
};

/** The suites that can be made at once, with the workflows that they test. */
export const exampleSuites = templates.flatMap(({ id, title }) => (Object.hasOwn(examples, id) ? [{ id, title }] : []));

/** Makes a template's workflow and its suite; gives the suite's id. Rejects with a ServiceError. */
export async function makeExample(
  { workflows, evaluations }: Pick<Services, "workflows" | "evaluations">,
  id: string,
): Promise<string> {
  const template = templates.find((one) => one.id === id);
  const example = examples[id];
  const read = await example?.cases();
  if (!template || !example || !read?.ok)
    throw new ServiceError("invalid", "This example cannot be read.", "Make a suite of your own.");
  const { workflow: _workflow, dataset: _dataset, cassettes: _cassettes, name, ...settings } = suiteIn(example.suite);
  const stored = await workflows.create(templateDocument(template, newId()));
  const suite = await evaluations.create({ name: String(name), workflowId: stored.id, settings });
  await evaluations.addCases(
    suite.id,
    read.cases.map((one) => ({ case: one })),
  );
  return suite.id;
}

function suiteIn(text: string): JsonObject {
  const suite: JsonObject = JSON.parse(text);
  return suite;
}
