import { describe, expect, it } from "vitest";
import { newDocument } from "../../engine/document/new-document.ts";
import { createDocumentStore, createFrozenStore } from "./document-store.ts";

function open() {
  return createDocumentStore(newDocument("w1", "Before"), 1);
}

describe("the document store", () => {
  it("takes a change back and makes it again, with its label", () => {
    const store = open();
    store.getState().commit("Rename workflow", (document) => void (document.name = "After"));
    expect(store.getState().document.name).toBe("After");
    expect(store.getState().undo()).toBe("Rename workflow");
    expect(store.getState().document.name).toBe("Before");
    expect(store.getState().redo()).toBe("Rename workflow");
    expect(store.getState().document.name).toBe("After");
  });

  it("says so when there is nothing to take back or to make again", () => {
    const store = open();
    expect(store.getState().undo()).toBeNull();
    expect(store.getState().redo()).toBeNull();
  });

  it("makes a step of its own of each edit, also beside commits of the same name", () => {
    const store = open();
    const { commit, edit } = store.getState();
    for (const change of [commit, edit, edit, commit])
      change("Rename workflow", (document) => void (document.name += "."));
    expect(store.getState().past).toHaveLength(4);
    const refused: string[] = [];
    const frozen = createFrozenStore(newDocument("w1", "Before"), () => refused.push("Refused"));
    frozen.getState().edit("Rename workflow", (document) => void (document.name = "After"));
    expect([frozen.getState().document.name, ...refused]).toEqual(["Before", "Refused"]);
  });

  it("makes one step of everything between two marks", () => {
    const store = open();
    const { commit, mark } = store.getState();
    mark();
    for (const name of ["A", "Af", "Aft", "Afte", "After"]) {
      commit("Rename workflow", (document) => void (document.name = name));
    }
    mark();
    commit("Rename workflow", (document) => void (document.name = "Later"));
    expect(store.getState().past).toHaveLength(2);
    store.getState().undo();
    expect(store.getState().document.name).toBe("After");
    store.getState().undo();
    expect(store.getState().document.name).toBe("Before");
  });

  it("keeps one patch while one value is overwritten again and again", () => {
    const store = open();
    for (let length = 1; length <= 500; length += 1) {
      store.getState().commit("Rename workflow", (document) => void (document.name = "x".repeat(length)));
    }
    expect(store.getState().past[0]?.patches).toHaveLength(1);
    store.getState().undo();
    expect(store.getState().document.name).toBe("Before");
  });

  it("starts a new step when another thing is edited without a mark in between", () => {
    const store = open();
    store.getState().commit("Rename workflow", (document) => void (document.name = "After"));
    store.getState().commit("Change id", (document) => void (document.id = "w2"));
    expect(store.getState().past.map(({ label }) => label)).toEqual(["Rename workflow", "Change id"]);
  });

  it("does not join a step to one that was taken back", () => {
    const store = open();
    const rename = (name: string) => store.getState().commit("Rename workflow", (draft) => void (draft.name = name));
    rename("One");
    store.getState().mark();
    rename("Two");
    store.getState().undo();
    rename("Three");
    expect(store.getState().future).toHaveLength(0);
    store.getState().undo();
    expect(store.getState().document.name).toBe("One");
  });

  it("leaves no trace of an edit that changes nothing, and keeps untouched parts as they are", () => {
    const store = open();
    const before = store.getState().document;
    store.getState().commit("Rename workflow", (document) => void (document.name = "Before"));
    expect(store.getState().past).toHaveLength(0);
    store.getState().commit("Rename workflow", (document) => void (document.name = "After"));
    expect(store.getState().document.nodes).toBe(before.nodes);
  });

  it("forgets the oldest steps beyond its limit", () => {
    const store = open();
    for (let step = 0; step < 250; step += 1) {
      store.getState().commit(`Step ${step}`, (document) => void (document.name = `Name ${step}`));
    }
    expect(store.getState().past).toHaveLength(200);
    expect(store.getState().past[0]?.label).toBe("Step 50");
  });
});
