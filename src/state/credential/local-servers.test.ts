import { describe, expect, it } from "vitest";
import type { CredentialRepository, CredentialSummary } from "../../services/services.ts";
import { localServerCredential, noLocalServer } from "./local-servers.ts";

type CredentialDraft = Parameters<CredentialRepository["save"]>[0];

const ollama = { id: "ollama", baseUrl: "http://127.0.0.1:11434/v1" } as const;

function credential(id: string, host: string, lastFour = ""): CredentialSummary {
  return { id, name: id, type: "openai-compatible", lastFour, allowedHosts: [host], settings: {}, updatedAt: "" };
}

function storing(...rows: CredentialSummary[]) {
  const saved: CredentialDraft[] = [];
  return {
    saved,
    page: () => Promise.resolve({ rows, next: null, total: rows.length }),
    save: (draft: CredentialDraft) => {
      saved.push(draft);
      return Promise.resolve(credential("new", "127.0.0.1:11434"));
    },
  };
}

describe("the credential of a server of this machine", () => {
  it("is the stored one of that address without a key", async () => {
    const others = [credential("keyed", "127.0.0.1:11434", "wxyz"), credential("elsewhere", "127.0.0.1:1234")];
    const store = storing(...others, credential("own", "127.0.0.1:11434"));
    expect(await localServerCredential(ollama, store)).toMatchObject({ id: "own" });
    expect(store.saved).toEqual([]);
  });

  it("is made where there is none, with the address and no key", async () => {
    const store = storing(credential("keyed", "127.0.0.1:11434", "wxyz"));
    expect(await localServerCredential(ollama, store)).toMatchObject({ id: "new" });
    expect(store.saved).toEqual([
      { name: "Ollama", type: "openai-compatible", fields: { baseUrl: "http://127.0.0.1:11434/v1" } },
    ]);
  });
});

it("says what is missing where no server can be used", () => {
  expect(noLocalServer([], "embedding model").title).toMatch(/^Neither Ollama nor LM Studio answers/);
  expect(noLocalServer([{ id: "ollama" }], "embedding model")).toEqual({
    title: "Ollama has no embedding model yet.",
    hint: "Download one there, such as nomic-embed-text, then try again.",
  });
  expect(noLocalServer([{ id: "ollama" }, { id: "lm-studio" }], "models")).toEqual({
    title: "Ollama and LM Studio have no models yet.",
    hint: "Download a model there, then try again.",
  });
});
