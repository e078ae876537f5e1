import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { CredentialField } from "./credential-field.tsx";
import { credentialKind } from "./credential-kinds.ts";

function shown(type: string, value: string): string {
  const field = credentialKind(type)?.fields.find(({ name }) => name === "apiKey");
  if (!field) throw new Error(`${type} has no key.`);
  const props = { type, field, secret: true, stored: false, error: undefined, onChange: () => {} };
  return renderToStaticMarkup(<CredentialField {...props} value={value} />);
}

it("says that a placeholder of a compatible server is no secret, and says it of no other key", () => {
  for (const key of ["ollama", "LM-Studio", "EMPTY"]) expect(shown("openai-compatible", key)).toContain("no secret");
  for (const key of ["", "ollama2", "test-key-1"]) expect(shown("openai-compatible", key)).not.toContain("no secret");
  expect(shown("openai", "ollama")).not.toContain("no secret");
});
