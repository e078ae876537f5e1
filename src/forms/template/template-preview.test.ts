import { describe, expect, it } from "vitest";
import type { FieldDescription } from "../../engine/config/describe-fields.ts";
import { recordScope } from "../../engine/template/scope.ts";
import { previewOf } from "./template-preview.tsx";

const field: FieldDescription = {
  name: "text",
  label: "Text",
  help: "",
  identity: false,
  ai: false,
  control: "text",
  template: "text",
  integer: false,
  required: false,
  optional: true,
};
const data = {
  scope: () => recordScope({ nodes: { start: { a: 1 } }, start: { a: 1 } }),
  hasData: true,
  isRunning: true,
  unknown: () => ["json", "agent"],
};

describe("the preview of a field", () => {
  it.each(["{{json.a}}", "{{ nodes.agent.b }}", "{{agent.b}} and {{start.a}}", "{{json.a + 1}}"])(
    "says of %s that it is not known yet",
    (text) => expect(previewOf(text, field, data)).toEqual({ ok: false, kind: "unknown" }),
  );

  it.each(["{{start.b}}", "{{nodes.agents}}", "{{start.json}}"])("finds the mistake in %s", (text) =>
    expect(previewOf(text, field, data)).toMatchObject({ ok: false, kind: "missing" }),
  );

  it("finds what cannot be read, and shows what is known", () => {
    expect(previewOf("{{json.", field, data)).toMatchObject({ ok: false, kind: "syntax" });
    expect(previewOf("{{start.a}}", field, data)).toEqual({ ok: true, value: "1" });
  });
});
