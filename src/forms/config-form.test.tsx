import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { z } from "zod/mini";
import { describeFields } from "../engine/config/describe-fields.ts";
import type { JsonObject } from "../engine/json.ts";
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

  it("calls a field wrong only once somebody has filled it in, or was led to it", () => {
    const definition = nodeTypes.find(({ type }) => type === "http-request");
    const alerts = (config: JsonObject, shown?: string) => {
      const html = renderToStaticMarkup(
        <ConfigForm
          fields={describeFields(definition?.config ?? z.object({}))}
          config={config}
          problems={{ url: "An address is missing." }}
          shown={shown}
          onChange={() => undefined}
        />,
      );
      return html.match(/role="alert"/g)?.length ?? 0;
    };
    expect(alerts({})).toBe(0);
    expect(alerts({ url: "" })).toBe(0);
    expect(alerts({}, "url")).toBe(1);
    expect(alerts({ url: "nowhere" })).toBe(1);
  });
});
