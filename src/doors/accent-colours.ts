/** A colour and what is written on it. */
export interface Accent {
  accent: string;
  hover: string;
  soft: string;
  onAccent: string;
}

type Rgb = readonly [number, number, number];

const surfaces: Record<"light" | "dark", Rgb> = { light: [255, 255, 255], dark: [21, 26, 33] };
const inks: Record<"light" | "dark", Rgb> = { light: [24, 33, 44], dark: [230, 234, 240] };

/**
 * An owner's colour as the page uses it: moved towards the text's colour until it can be read on the page (contrast 4.5:1,
 * WCAG 2.2, 1.4.3), with black or white on it, whichever reads better.
 */
export function accentColours(hex: string, theme: "light" | "dark"): Accent {
  const surface = surfaces[theme];
  let colour = parse(hex);
  for (let step = 0; step < 20 && contrast(colour, surface) < 4.5; step += 1) colour = mix(colour, inks[theme], 0.15);
  const black: Rgb = [0, 0, 0];
  const white: Rgb = [255, 255, 255];
  return {
    accent: write(colour),
    hover: write(mix(colour, inks[theme], 0.18)),
    soft: write(mix(surface, colour, 0.14)),
    onAccent: write(contrast(colour, white) >= contrast(colour, black) ? white : black),
  };
}

function parse(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

function write(colour: Rgb): string {
  return `#${colour.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
}

function mix([r, g, b]: Rgb, [toR, toG, toB]: Rgb, share: number): Rgb {
  return [r + (toR - r) * share, g + (toG - g) * share, b + (toB - b) * share];
}

/** Contrast ratio of two colours, WCAG 2.2. */
export function contrast(one: Rgb, other: Rgb): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance(colour: Rgb): number {
  const [r = 0, g = 0, b = 0] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
