import { describe, expect, it } from "vitest";
import { commandMenu } from "./command-menu.ts";
import { editorCommands } from "./editor-commands.ts";
import { testEditor } from "./testing-editor.ts";

describe("a menu of commands", () => {
  const own = { label: "Edit as JSON" };
  const entries = ["|", "rename", "|", "undo", "|", own, "no-such-command", "delete", "|"];
  const shown = (context: ReturnType<typeof testEditor>["context"]) =>
    commandMenu(entries, { commands: editorCommands, context }).map((line) =>
      typeof line === "string" ? line : line.label,
    );

  it("holds what can be done now, in its order, without lines around nothing", () => {
    const { add, canvas, context } = testEditor();
    expect(shown(context)).toEqual(["Edit as JSON"]);
    canvas.getState().select([add({ type: "set-fields" })]);
    expect(shown(context)).toEqual(["Rename", "separator", "Undo", "separator", "Edit as JSON", "Delete"]);
  });

  it("runs the command, and marks the one that takes away", () => {
    const { add, canvas, context, workflow } = testEditor();
    canvas.getState().select([add({ type: "set-fields" })]);
    const [line] = commandMenu<never>(["delete"], { commands: editorCommands, context });
    expect(line).toMatchObject({ danger: true });
    if (line === undefined || line === "separator") throw new Error("There is no such line.");
    line.onSelect();
    expect(workflow().nodes).toEqual({});
  });
});
