import { expect, it } from "vitest";
import { newDocument } from "../src/engine/document/new-document.ts";
import { loaderOf } from "./version-documents.ts";

it("gives the workflows of a published version, and the version itself to those that run it in turn", async () => {
  const root = newDocument("root", "Root");
  const loader = loaderOf(root, { other: newDocument("other", "Other") });
  expect(await loader.load("root")).toEqual({ ok: true, document: root });
  expect(await loader.load("other")).toMatchObject({ ok: true, document: { name: "Other" } });
  expect(await loader.load("third")).toMatchObject({ ok: false, error: { code: "invalid_config" } });
});
