import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { describeFields } from "../engine/config/describe-fields.ts";
import { nodeTypes } from "../nodes/index.ts";
import { ConfigForm } from "./config-form.tsx";

describe("ConfigForm", () => {
  it.each(nodeTypes.map((definition) => [definition.type, definition] as const))(
    "joins each label of %s to one control that is there",
    (_, definition) => {
      const html = renderToStaticMarkup(
        <ConfigForm fields={describeFields(definition.config)} config={{}} problems={{}} onChange={() => undefined} />,
      );
      const labelled = [...html.matchAll(/<label for="([^"]+)"/g)].map(([, id]) => id);
      const missing = labelled.filter((id) => html.split(` id="${id}"`).length !== 2);
      expect(missing).toEqual([]);
      // A button says what it does, which the label of its field would replace.
      const named = labelled.filter((id) => new RegExp(`<button(?![^>]*role="switch")[^>]* id="${id}"`).test(html));
      expect(named).toEqual([]);
    },
  );
});
