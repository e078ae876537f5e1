import { afterEach, describe, expect, it, vi } from "vitest";
import { currentToasts, hideToast } from "../feedback/toast-store.ts";
import { type AfterSave, createDialogVisits, type DialogSave, saveDuring } from "./dialog-visits.ts";

/** A dialog that a person has opened, and what it saves, which is answered by `answer`. */
function openDialog(options: Partial<DialogSave<string, string>> = {}) {
  const visits = createDialogVisits();
  let [answer, fail] = [(_result: string) => {}, (_error: Error) => {}];
  const promise = new Promise<string>((resolve, reject) => ([answer, fail] = [resolve, reject]));
  const called: string[] = [];
  const after: AfterSave<string> = {
    onDone: (result) => called.push(`done ${result}`),
    onLeft: (result) => called.push(`left ${result}`),
  };
  const leave = visits.enter();
  const visit = visits.beginSave();
  if (visit === null) throw new Error("The dialog is open.");
  const save = () =>
    saveDuring(
      visit,
      "name",
      {
        save: () => promise,
        onSaved: (result, name) => called.push(`saved ${result} as ${name}`),
        refresh: () => called.push("refreshed"),
        ...options,
      },
      after,
    );
  return { visits, leave, save, called, answer, fail };
}

const said = () => currentToasts().map(({ message }) => message);

describe("what a dialog saves", () => {
  afterEach(() => currentToasts().forEach(({ id }) => hideToast(id)));

  it("calls back who is still there, once lists are read again", async () => {
    const { save, called, answer } = openDialog();
    const saving = save();
    answer("7");
    await saving;
    expect(called).toEqual(["saved 7 as name", "refreshed", "done 7"]);
  });

  it("announces to who has closed it", async () => {
    const { save, called, answer, leave } = openDialog();
    const saving = save();
    leave();
    answer("7");
    await saving;
    expect(called).toEqual(["saved 7 as name", "refreshed", "left 7"]);
  });

  it("does not call back who has opened it anew, or has turned to another subject and back", async () => {
    const { save, called, answer, leave, visits } = openDialog();
    const saving = save();
    leave();
    visits.enter("another")();
    visits.enter();
    answer("7");
    await saving;
    expect(called).toContain("left 7");
    expect(visits.beginSave()?.isOpen).toBe(true);
  });

  it("tells between two steps whether the person is still there", async () => {
    const { save, answer, leave, called } = openDialog({
      save: async (_name, isOpen) => {
        const before = isOpen();
        leave();
        return `${before} ${isOpen()}`;
      },
    });
    answer("");
    await save();
    expect(called[0]).toBe("saved true false as name");
  });

  it("is not sent again until lists are read again, or it has failed", async () => {
    const { save, visits, answer } = openDialog();
    const saving = save();
    expect(visits.beginSave()).toBeNull();
    answer("7");
    await saving;
    expect(visits.beginSave()).not.toBeNull();
    const failing = openDialog();
    const failed = failing.save();
    failing.fail(new Error("No."));
    await expect(failed).rejects.toThrow("No.");
    expect(failing.called).toEqual(["refreshed"]);
    expect(failing.visits.beginSave()).not.toBeNull();
  });

  it("is sent beside what another subject is still saving, and not at all by who has left", () => {
    const { visits, leave } = openDialog();
    leave();
    expect(visits.beginSave()).toBeNull();
    const leaveNext = visits.enter("another");
    expect(visits.beginSave()?.subject).toBe("another");
    leaveNext();
    expect(visits.beginSave()).toBeNull();
  });

  it("takes the message about a failure back once trying again has worked, and no other", async () => {
    const [first, other] = [openDialog(), openDialog()];
    for (const each of [first, other]) {
      const failing = each.save();
      each.fail(new Error("No answer."));
      await expect(failing).rejects.toThrow("No answer.");
    }
    expect(said()).toEqual(["No answer.", "No answer."]);
    const visit = first.visits.beginSave();
    if (visit === null) throw new Error("Nothing is being saved.");
    await saveDuring(visit, "name", { save: async () => "7" }, {});
    expect(said()).toEqual(["No answer."]);
  });

  it("says a failure in the dialog while that is open, and in a toast to who has left", async () => {
    const there = openDialog({ showsError: true });
    const shown = there.save();
    there.fail(new Error("Shown."));
    await expect(shown).rejects.toThrow("Shown.");
    expect(said()).toEqual([]);
    const gone = openDialog({ showsError: true });
    const unseen = gone.save();
    gone.leave();
    gone.fail(new Error("Unseen."));
    await expect(unseen).rejects.toThrow("Unseen.");
    expect(said()).toEqual(["Unseen."]);
  });

  it("says a failure in a toast where the dialog shows none", async () => {
    const error = vi.fn<() => void>();
    const { save, fail } = openDialog();
    const saving = save().catch(error);
    fail(new Error("No."));
    await saving;
    expect(error).toHaveBeenCalledOnce();
    expect(said()).toEqual(["No."]);
  });
});
