import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { LoadFailure } from "./load-failure.tsx";

const shown = (error: Error) => renderToStaticMarkup(<LoadFailure error={error} onRetry={() => {}} />);

describe("what stands where something could not be loaded", () => {
  it("says what happened, what to do where the error knows it, and offers another try", () => {
    const html = shown(Object.assign(new Error("The server did not answer."), { hint: "Check whether it runs." }));
    expect(html).toContain('role="alert"');
    for (const words of ["The server did not answer.", "Check whether it runs.", "Try again"]) {
      expect(html).toContain(words);
    }
  });

  it("leaves out a hint that is no text", () => {
    expect(shown(Object.assign(new Error("Broken."), { hint: { secret: 1 } }))).not.toContain("secret");
  });
});
