import type { Command, CommandContext } from "./command.ts";

/** The parts of a keyboard event that a shortcut looks at. */
interface KeyPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
}

/**
 * Whether a key press is the shortcut `keys`, such as `mod+shift+z`. `mod` is ⌘ or Ctrl. Signs that need Shift on some
 * keyboards (`?`, `+`) match by the sign alone; digits match with Shift by their place, as `shift+1`.
 */
export function matchesKeys(press: KeyPress & { code?: string }, keys: string): boolean {
  const parts = keys === "+" ? ["+"] : keys.split("+");
  const wanted = parts.at(-1) ?? "";
  const mod = parts.includes("mod");
  const shift = parts.includes("shift");
  if ((press.ctrlKey || press.metaKey) !== mod || press.altKey !== parts.includes("alt")) return false;
  const isSign = wanted.length === 1 && !/[a-z0-9]/.test(wanted);
  if (!isSign && press.shiftKey !== shift) return false;
  if (/^[0-9]$/.test(wanted) && press.code === `Digit${wanted}`) return true;
  // With Alt, some systems type another letter.
  if (press.altKey && /^[a-z]$/.test(wanted) && press.code === `Key${wanted.toUpperCase()}`) return true;
  return press.key.toLowerCase() === wanted;
}

/** The command that a key press stands for and that can be done now. */
export function commandForKey(
  commands: readonly Command[],
  context: CommandContext,
  press: KeyPress & { code?: string },
): Command | undefined {
  return commands.find(
    (command) => command.keys?.some((keys) => matchesKeys(press, keys)) === true && command.when(context),
  );
}
