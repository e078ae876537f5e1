import { randomUUID } from "node:crypto";
import { readDocument } from "../src/engine/document/read-document.ts";
import type { WorkflowDocument } from "../src/engine/document/workflow-document.ts";
import type { WorkflowLoader } from "../src/engine/host.ts";
import type { RunErrorData } from "../src/engine/errors.ts";
import { unknownPrices } from "../src/engine/spending/unknown-prices.ts";
import { nodeRegistry } from "../src/nodes/index.ts";

type Read = { ok: true; document: WorkflowDocument } | { ok: false; error: RunErrorData };

/** A published workflow, brought up to date. */
export function readVersion(document: unknown): Read {
  const read = readDocument(document, nodeRegistry, randomUUID);
  if (read.ok) return read;
  const message = `The published version cannot be read: ${read.problems.join(" ")}`;
  return {
    ok: false,
    error: { code: "invalid_config", message, hint: "Publish the workflow again.", retryable: false },
  };
}

/** The workflows that belong to a published version, itself included, as they were when it was published. */
export function loaderOf(root: WorkflowDocument, workflows: Readonly<Record<string, unknown>>): WorkflowLoader {
  return {
    load(id) {
      // Workflows may run each other in circles.
      if (id === root.id) return Promise.resolve({ ok: true, document: root });
      if (Object.hasOwn(workflows, id)) return Promise.resolve(readVersion(workflows[id]));
      const message = `The workflow "${id}" is not part of the published version.`;
      const hint = "Publish the workflow again: the workflows that it runs are published with it.";
      return Promise.resolve({ ok: false, error: { code: "invalid_config", message, hint, retryable: false } });
    },
  };
}

/** The models of a published version, with the workflows that it runs, whose price nobody knows. */
export function unknownPricesIn(root: WorkflowDocument, workflows: Readonly<Record<string, unknown>>): string[] {
  const documents = [root];
  for (const workflow of Object.values(workflows)) {
    const read = readVersion(workflow);
    if (read.ok) documents.push(read.document);
  }
  const models = documents.flatMap((document) => unknownPrices(document, nodeRegistry).map(({ model }) => model));
  return [...new Set(models)].toSorted();
}
