import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { WantedRights } from "./sign-in-step.tsx";

it("names the rights that a server asks for, and says what to do", () => {
  const html = renderToStaticMarkup(<WantedRights scope="files:write files:delete" />);
  expect(html).toContain("files:write, files:delete");
  expect(html).toContain("Sign in again");
  expect(renderToStaticMarkup(<WantedRights scope="" />)).toBe("");
});
