import { describe, expect, it } from "vitest";
import type { CommandContext } from "./command.ts";
import { runLater } from "./run-later.ts";
import { testEditor } from "./testing-editor.ts";

const rename = (context: CommandContext) => {
  context.document.getState().commit("Rename", (document) => {
    document.name = "Renamed";
  });
};

describe("a command whose code is loaded with its first use", () => {
  it("waits for it, then acts", async () => {
    const { context, workflow } = testEditor();
    let arrive: (() => void) | undefined;
    const loading = new Promise<typeof rename>((resolve) => (arrive = () => resolve(rename)));
    const running = runLater(() => loading)(context);
    expect(workflow().name).toBe("Test");
    arrive?.();
    await running;
    expect(workflow().name).toBe("Renamed");
  });

  it("says that it could not be loaded, and acts when the person tries again", async () => {
    const { context, notices, workflow } = testEditor();
    let online = false;
    const run = runLater(async () => {
      if (!online) throw new TypeError("Failed to fetch dynamically imported module");
      return rename;
    });
    await run(context);
    expect(workflow().name).toBe("Test");
    expect(notices).toMatchObject([{ tone: "error", action: { label: "Try again" } }]);
    online = true;
    notices[0]?.action?.onClick();
    await expect.poll(() => workflow().name).toBe("Renamed");
    expect(notices).toHaveLength(1);
  });

  it("leaves a failure of the command itself to its caller", async () => {
    const { context, notices } = testEditor();
    const run = runLater(async () => () => {
      throw new Error("The command failed.");
    });
    await expect(run(context)).rejects.toThrow("The command failed.");
    expect(notices).toEqual([]);
  });
});
