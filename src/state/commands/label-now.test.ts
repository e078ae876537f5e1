import { describe, expect, it } from "vitest";
import { labelNow } from "./command.ts";
import { commandById, editorCommands } from "./editor-commands.ts";
import { toggleFold } from "./group-commands.ts";
import { groupSelection } from "./group-nodes.ts";
import { toggleBypass, toggleDisabled } from "./node-commands.ts";
import { testEditor } from "./testing-editor.ts";

const far = { x: 4_000, y: 4_000 };

function editor() {
  const made = testEditor();
  const words = (id: string): string => {
    const command = commandById(editorCommands, id);
    return command === undefined ? "" : labelNow(command, made.context);
  };
  return { ...made, words };
}

describe("the words of a toggle say what it will do now", () => {
  it("for one node, and for one that is off", () => {
    const { add, canvas, context, words } = editor();
    canvas.getState().select([add({ type: "set-fields" })]);
    expect([words("toggle-disabled"), words("toggle-bypass")]).toEqual(["Disable", "Bypass"]);
    toggleDisabled(context);
    expect([words("toggle-disabled"), words("toggle-bypass")]).toEqual(["Enable", "Bypass"]);
    toggleBypass(context);
    expect([words("toggle-disabled"), words("toggle-bypass")]).toEqual(["Disable", "Stop bypassing"]);
  });

  it("for several, counting only those that it touches", () => {
    const { add, canvas, context, words } = editor();
    const nodes = [
      add({ type: "set-fields" }),
      add({ type: "if", position: far }),
      add({ type: "calculator-tool", position: { x: 0, y: 4_000 } }),
    ];
    canvas.getState().select(nodes);
    expect([words("toggle-disabled"), words("toggle-bypass")]).toEqual(["Disable 3 nodes", "Bypass 2 nodes"]);
    toggleDisabled(context);
    expect(words("toggle-disabled")).toBe("Enable 3 nodes");
  });

  it("for a group that is folded or not", () => {
    const { add, canvas, context, words } = editor();
    canvas.getState().select([add({ type: "set-fields" })]);
    const group = groupSelection(context);
    expect(words("toggle-fold")).toBe("Fold the group");
    toggleFold(context, group ?? "");
    expect(words("toggle-fold")).toBe("Unfold the group");
  });

  it("and names both ways while nothing is selected", () => {
    const { words } = editor();
    expect(words("toggle-disabled")).toBe("Disable or enable");
    expect(words("toggle-fold")).toBe("Fold or unfold the group");
  });
});
