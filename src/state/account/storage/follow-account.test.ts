import { describe, expect, it } from "vitest";
import { followAccount } from "./follow-account.ts";
import { createSignOutNote } from "./sign-out-note.ts";

const ada = { id: "ada", email: "ada@example.test" };
const grace = { id: "grace", email: "grace@example.test" };

function mapStorage(entries = new Map<string, string>()) {
  return {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  };
}

/** What a listener hears, in words. */
function listening(storage = mapStorage()) {
  const heard: string[] = [];
  const note = createSignOutNote(storage);
  const tell = followAccount(
    { onChange: (account) => heard.push(account?.id ?? "nobody"), onEnded: () => heard.push("ended") },
    note,
  );
  return { heard, note, tell };
}

describe("an account that is followed", () => {
  it("stays when its session ends by itself, which is told once, until it signs in again", () => {
    const { heard, tell } = listening();
    tell(ada);
    tell(null);
    tell(null);
    tell(ada);
    expect(heard).toEqual(["ada", "ended", "ada"]);
  });

  it("is gone once it has signed out, also by another tab", () => {
    const storage = mapStorage();
    const { heard, tell } = listening(storage);
    tell(ada);
    createSignOutNote(storage).write("ada");
    tell(null);
    expect(heard).toEqual(["ada", "nobody"]);
  });

  it("is gone before another one comes, also where its session had ended", () => {
    const { heard, tell } = listening();
    tell(ada);
    tell(null);
    tell(grace);
    expect(heard).toEqual(["ada", "ended", "nobody", "grace"]);
  });

  it("can sign out after its session has ended", () => {
    const { heard, note, tell } = listening();
    tell(ada);
    tell(null);
    note.write("ada");
    tell(null);
    expect(heard).toEqual(["ada", "ended", "nobody"]);
  });

  it("is nobody where nobody was", () => {
    const { heard, tell } = listening();
    tell(null);
    expect(heard).toEqual(["nobody"]);
  });
});

describe("the note of a sign-out", () => {
  it("is about one account, and gone once it is cleared", () => {
    const note = createSignOutNote(mapStorage());
    note.write("ada");
    expect([note.isAbout("ada"), note.isAbout("grace")]).toEqual([true, false]);
    note.clear();
    expect(note.isAbout("ada")).toBe(false);
  });

  it("is known to its own tab where storage is off or broken", () => {
    const denied = () => {
      throw new Error("denied");
    };
    for (const storage of [null, { getItem: denied, setItem: denied, removeItem: denied }]) {
      const note = createSignOutNote(storage);
      note.write("ada");
      expect([note.isAbout("ada"), note.isAbout("grace")]).toEqual([true, false]);
      note.clear();
      expect(note.isAbout("ada")).toBe(false);
    }
  });
});
