import { beforeEach, describe, expect, it } from "vitest";
import { currentToasts, hideToast, onToasts, showError, showToast, takeToastAction } from "./toast-store.ts";

beforeEach(() => {
  for (const { id } of currentToasts()) hideToast(id);
});

const messages = () => currentToasts().map(({ message }) => message);

describe("toasts", () => {
  it("show the newest three", () => {
    for (const message of ["one", "two", "three", "four"]) showToast(message);
    expect(messages()).toEqual(["two", "three", "four"]);
  });

  it("replace the one with the same id and start its time anew", () => {
    showToast("Saving", { id: "save" });
    const before = currentToasts()[0]?.version ?? 0;
    showToast("Saved", { id: "save" });
    expect(messages()).toEqual(["Saved"]);
    expect(currentToasts()[0]?.version).toBeGreaterThan(before);
  });

  it("stay longer with an action", () => {
    showToast("plain");
    showToast("Deleted", { action: { label: "Undo", onClick: () => {} } });
    const [plain, withAction] = currentToasts().map(({ durationMs }) => durationMs);
    expect(withAction).toBeGreaterThan(plain ?? 0);
  });

  it("say of an error what happened and what to do", () => {
    showError(Object.assign(new Error("The server cannot be reached."), { hint: "Check your connection." }));
    expect(currentToasts()[0]).toMatchObject({ tone: "error", hint: "Check your connection." });
    showError("no error at all");
    expect(currentToasts()[1]).toMatchObject({ message: "Something went wrong." });
    expect(currentToasts()[1]?.hint).not.toBe("");
  });

  it("say once that they are gone, hidden or pushed out, but not when their action was taken", () => {
    const told: string[] = [];
    const show = (id: string) =>
      showToast(id, {
        id,
        action: { label: "Undo", onClick: () => told.push(`undo ${id}`) },
        onGone: () => told.push(`gone ${id}`),
      });
    show("hidden");
    hideToast("hidden");
    hideToast("hidden");
    show("taken");
    takeToastAction("taken");
    takeToastAction("taken");
    for (const id of ["first", "second", "third", "fourth"]) show(id);
    expect(told).toEqual(["gone hidden", "undo taken", "gone first"]);
  });

  it("tell listeners of changes alone", () => {
    let heard = 0;
    const stop = onToasts(() => (heard += 1));
    showToast("one", { id: "one" });
    hideToast("no such toast");
    hideToast("one");
    stop();
    showToast("two");
    expect(heard).toBe(2);
  });
});
