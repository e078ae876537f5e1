import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { Countdown } from "./countdown.tsx";

describe("Countdown", () => {
  it("gives the whole seconds that are left, and nothing once the moment has come", () => {
    expect(renderToStaticMarkup(<Countdown until={Date.now() + 60_000} />)).toMatch(/^in (60|59) s$/);
    expect(renderToStaticMarkup(<Countdown until={Date.now() - 1} />)).toBe("");
  });
});
