import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const css = readFileSync(new URL("./tokens.css", import.meta.url), "utf8");

type Look = "light" | "dark";

/** Every `--color-x: light-dark(#…, #…)` of the token file. */
const colours = new Map(
  [...css.matchAll(/--color-([a-z-]+):\s*light-dark\((#[0-9a-f]{6}),\s*(#[0-9a-f]{6})\)/g)].map(
    ([, name = "", light = "", dark = ""]) => [name, { light, dark }],
  ),
);

/** Relative luminance and contrast ratio as WCAG 2.2 defines them. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string, look: Look): number {
  const [a, b] = [one, other].map((name) => {
    const colour = colours.get(name);
    if (colour === undefined) throw new Error(`There is no colour --color-${name}.`);
    return luminance(colour[look]);
  });
  return (Math.max(a ?? 0, b ?? 0) + 0.05) / (Math.min(a ?? 0, b ?? 0) + 0.05);
}

const surfaces = ["canvas", "surface", "raised"];
const roles = ["main", "model", "memory", "tool"];
const states = ["success", "warning", "danger"];

const text: [string, string][] = [
  ...[...surfaces, "hover"].flatMap((surface): [string, string][] => [
    ["ink", surface],
    ["muted", surface],
  ]),
  ...surfaces.map((surface): [string, string] => ["faint", surface]),
  ...surfaces.flatMap((surface) => [...states, "accent"].map((name): [string, string] => [name, surface])),
  ...[...states, "accent"].map((name): [string, string] => [name, `${name}-soft`]),
  ...[...states, "accent"].map((name): [string, string] => ["ink", `${name}-soft`]),
  ...states.map((name): [string, string] => ["muted", `${name}-soft`]),
  ...["model", "memory", "tool"].map((role): [string, string] => [`role-${role}`, `role-${role}-soft`]),
  ["on-accent", "accent"],
  ["on-accent", "accent-hover"],
  ["on-danger", "danger"],
  ["on-danger", "danger-hover"],
  ["surface", "ink"],
];

const graphics: [string, string][] = [
  ...surfaces.flatMap((surface) => roles.map((role): [string, string] => [`role-${role}`, surface])),
  ...surfaces.map((surface): [string, string] => ["accent", surface]),
];

describe.each<Look>(["light", "dark"])("the %s theme", (look) => {
  it.each(text)("has readable %s on %s", (ink, ground) => {
    expect(contrast(ink, ground, look)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(graphics)("tells %s from %s", (line, ground) => {
    expect(contrast(line, ground, look)).toBeGreaterThanOrEqual(3);
  });
});
