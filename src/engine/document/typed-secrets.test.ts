import { expect, it } from "vitest";
import { withoutTypedSecrets } from "./typed-secrets.ts";

it("S69 takes secrets out of parameters that stand there several times", () => {
  const query = { api_key: ["plain-words", "{{vars.key}}", { inner: "Bearer abcdefgh12345" }], ids: ["1", "2"] };
  const node = {
    id: "a",
    type: "http-request",
    version: 1,
    title: "Call",
    position: { x: 0, y: 0 },
    config: { query },
  };
  const { document, removed } = withoutTypedSecrets({ nodes: { a: node } });
  const cleaned = document.nodes.a?.config.query;
  expect(cleaned).toMatchObject({ api_key: ["", "{{vars.key}}", {}], ids: ["1", "2"] });
  expect(JSON.stringify(cleaned)).not.toMatch(/plain-words|abcdefgh/);
  expect(removed[0]).toEqual({ title: "Call", field: "query.api_key" });
});
