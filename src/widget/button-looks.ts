import { accentColours } from "../doors/accent-colours.ts";

/** The colours of the button, and the theme in which they are shown. */
export interface ButtonLooks {
  colorScheme: "light dark" | "light" | "dark";
  accent: string;
  ink: string;
}

/** Those of a page without a colour of its own: the studio's. */
export const usualLooks: ButtonLooks = {
  colorScheme: "light dark",
  accent: "light-dark(#0f766e, #2cc0ae)",
  ink: "light-dark(#ffffff, #04201d)",
};

/** Asks the chat page's server for its looks. A page that does not answer soon, or refuses this site, has the usual ones. */
export async function readButtonLooks(url: string): Promise<ButtonLooks> {
  try {
    const answer = await fetch(url, { credentials: "omit", signal: AbortSignal.timeout(2_000) });
    return answer.ok ? buttonLooks(await answer.json()) : usualLooks;
  } catch {
    return usualLooks;
  }
}

/** What is told of a chat page (`ChatPageInfo`), as looks of the button. */
export function buttonLooks(info: unknown): ButtonLooks {
  const theme = textOf(info, "theme");
  const colorScheme = theme === "light" || theme === "dark" ? theme : "light dark";
  const accent = typeof info === "object" && info !== null && "accent" in info ? info.accent : undefined;
  const given = [textOf(accent, "light"), textOf(accent, "dark")].filter((colour) => /^#[0-9a-f]{6}$/i.test(colour));
  const [light, dark = light] = given;
  if (light === undefined || dark === undefined) return { ...usualLooks, colorScheme };
  const inLight = accentColours(light, "light");
  const inDark = accentColours(dark, "dark");
  return {
    colorScheme,
    accent: `light-dark(${inLight.accent}, ${inDark.accent})`,
    ink: `light-dark(${inLight.onAccent}, ${inDark.onAccent})`,
  };
}

function textOf(value: unknown, key: string): string {
  const text: unknown = typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
  return typeof text === "string" ? text : "";
}
