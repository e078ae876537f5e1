import type { ChatPageInfo } from "../doors/chat-api.ts";
import { accentColours } from "../doors/accent-colours.ts";

/** Gives the page its title, its theme and the owner's colours. Set through the object model, which needs no inline style. */
export function showLooks({ title, theme, accent }: Pick<ChatPageInfo, "title" | "theme" | "accent">): void {
  document.title = title;
  const root = document.documentElement;
  if (theme === "system") delete root.dataset.theme;
  else root.dataset.theme = theme;
  const light = accent.light || accent.dark;
  const dark = accent.dark || accent.light;
  if (light === "") return;
  const inLight = accentColours(light, "light");
  const inDark = accentColours(dark, "dark");
  const both = (key: keyof typeof inLight) => `light-dark(${inLight[key]}, ${inDark[key]})`;
  root.style.setProperty("--color-accent", both("accent"));
  root.style.setProperty("--color-accent-hover", both("hover"));
  root.style.setProperty("--color-accent-soft", both("soft"));
  root.style.setProperty("--color-on-accent", both("onAccent"));
}
