import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import type { FieldDescription } from "../engine/config/describe-fields.ts";
import { NumberControl } from "./number-control.tsx";

function drawn(label: string, value: number): string {
  const field: FieldDescription = {
    name: "n",
    label,
    help: "",
    control: "number",
    identity: false,
    ai: false,
    integer: true,
    required: false,
    optional: true,
  };
  const control = { id: "n", "aria-describedby": undefined, "aria-invalid": undefined, "aria-required": undefined };
  const html = renderToStaticMarkup(
    <NumberControl field={field} value={value} control={control} onChange={() => undefined} />,
  );
  return html.replaceAll(/<[^>]*>/g, "");
}

describe("NumberControl", () => {
  it("says a number of milliseconds in larger units, and nothing of other numbers", () => {
    expect(drawn("Time limit (ms)", 300_000)).toBe("= 5 min");
    expect(drawn("Time limit (ms)", 30_000)).toBe("= 30 s");
    expect(drawn("Pause per word (ms)", 15)).toBe("");
    expect(drawn("Memory limit (MB)", 3200)).toBe("");
  });
});
