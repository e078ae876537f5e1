import { describe, expect, it } from "vitest";
import { describeFields } from "../engine/config/describe-fields.ts";
import { aiParameters } from "../engine/template/ai-parameters.ts";
import { compileConfig } from "../engine/template/config-templates.ts";
import { nodeTypes } from "../nodes/index.ts";
import { isFilledByModel, modelFill } from "./model-fill.ts";

const fields = nodeTypes.flatMap((definition) =>
  describeFields(definition.config)
    .filter((field) => field.ai)
    .map((field) => [definition.type, field.name, definition, field] as const),
);

describe("modelFill", () => {
  it.each(fields)(
    "of %s.%s is one parameter of the tool's schema, or is not offered",
    (_type, name, definition, field) => {
      const text = modelFill(field);
      if (text === undefined) return expect(field.template).not.toBe("value");
      const shown = field.visibleWhen ? { [field.visibleWhen.field]: field.visibleWhen.in[0] ?? "" } : {};
      const templates = compileConfig(definition, { ...shown, [name]: text });
      expect(templates.problems).toEqual([]);
      expect(aiParameters(templates)).toMatchObject({ required: [name] });
      expect(isFilledByModel(text)).toBe(true);
    },
  );

  it("is not offered where no model fills anything in", () => {
    for (const { role, config } of nodeTypes) {
      if (role !== "flow") continue;
      for (const field of describeFields(config)) expect(modelFill(field)).toBeUndefined();
    }
  });
});
