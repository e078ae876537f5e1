import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { CanvasStore } from "../editor/canvas-store.ts";
import type { DocumentStore } from "../document/document-store.ts";

/** A short word to the person, such as why a connection was refused. */
export interface Notice {
  tone: "info" | "error";
  message: string;
  hint?: string;
  action?: { label: string; onClick: () => void };
}

/** What commands work on. */
export interface CommandContext {
  document: DocumentStore;
  canvas: CanvasStore;
  registry: NodeRegistry;
  newId(): string;
  notify(notice: Notice): void;
}

export type CommandGroup = "Edit" | "Node" | "Arrange" | "View" | "Run" | "Workflow";

/**
 * Something that a person can do here, by whichever way: button, menu, key or gesture all call `run`. `keys` are written
 * as `mod+shift+z`, where `mod` is ⌘ on Apple systems and Ctrl elsewhere; the first one is shown.
 */
export interface Command {
  id: string;
  label: string;
  /** What it would do right now, where that depends on what is selected or shown; asked only while `when` holds. */
  labelNow?(context: CommandContext): string;
  group: CommandGroup;
  /** Name of a lucide icon. */
  icon: string;
  keys?: readonly string[];
  /** Keys that the browser brings here in its own way, such as those of the clipboard: shown, not listened for. */
  nativeKeys?: readonly string[];
  /** Whether it can be done now; a command that cannot is shown disabled or left out. */
  when(context: CommandContext): boolean;
  run(context: CommandContext): void | Promise<void>;
}

/** What to call a command here and now: "Disable", "Enable 3 nodes"; its plain label while it cannot be done. */
export function labelNow(command: Command, context: CommandContext): string {
  return command.labelNow !== undefined && command.when(context) ? command.labelNow(context) : command.label;
}

/** The key to show beside a command, if it has one. */
export function shownKey({ keys, nativeKeys }: Command): string | undefined {
  return keys?.[0] ?? nativeKeys?.[0];
}
