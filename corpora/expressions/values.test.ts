import { expect, it } from "vitest";
import { compareAll, equalShare, everydayExpressions, expressionsIn } from "./compare-values.ts";
import { completeExport } from "../../src/import/testing/n8n-export.ts";

it("gives the values that JavaScript gives, on whole data and with a third of the fields missing", async () => {
  const sources = [...everydayExpressions(), ...expressionsIn(completeExport)];
  const compared = await compareAll(sources, 2);
  expect(compared.length / sources.length).toBeGreaterThan(0.98);
  const differing = compared.flatMap(({ source, difference }) => (difference ? [{ source, ...difference }] : []));
  expect(equalShare(compared, "whole"), JSON.stringify(differing, null, 1)).toBeGreaterThanOrEqual(0.99);
  expect(equalShare(compared, "gaps"), JSON.stringify(differing, null, 1)).toBeGreaterThanOrEqual(0.99);
}, 60_000);
