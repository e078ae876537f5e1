import { statSync } from "node:fs";

/** A picture of the film, as PNG, and for how long it stands, in milliseconds. */
interface Frame {
  png: Buffer;
  ms: number;
}

/** What of `sharp` is used. It is not among the project's packages: only who makes recordings needs it. */
type Sharp = (
  image: Buffer | Buffer[],
  options?: { join: { animated: true } },
) => {
  webp(options: { delay?: number[]; loop?: number; quality: number; effort: number; minSize?: boolean }): {
    toFile(path: string): Promise<unknown>;
  };
};

const sharpVersion = "0.35.5";

async function loadSharp(): Promise<Sharp> {
  const name = "sharp";
  try {
    const loaded = (await import(name)) as { default: Sharp };
    return loaded.default;
  } catch {
    throw new Error(`Recordings are encoded by sharp. Install it first: npm install --no-save sharp@${sharpVersion}`);
  }
}

/** Milliseconds below which browsers slow a picture down instead of showing it that briefly. */
const shortest = 30;

/** The frames of a recording, in order. */
export class Film {
  readonly #frames: Frame[] = [];

  /** Adds a picture; the same as the one before stands longer instead. */
  add(png: Buffer, ms: number): void {
    const last = this.#frames.at(-1);
    if (last && (last.ms < shortest || last.png.equals(png))) {
      last.ms += ms;
      last.png = png;
    } else this.#frames.push({ png, ms });
  }

  /** Lets the last picture stand until `ms` have passed since it appeared. */
  holdLast(ms: number): void {
    const last = this.#frames.at(-1);
    if (last) last.ms = Math.max(last.ms, ms);
  }

  get seconds(): number {
    return this.#frames.reduce((sum, { ms }) => sum + ms, 0) / 1000;
  }

  /** Writes an animated WebP, which plays again and again. Returns a line that says what was written. */
  async save(path: string): Promise<string> {
    const sharp = await loadSharp();
    const delay = this.#frames.map(({ ms }) => Math.round(Math.max(shortest, ms)));
    await sharp(
      this.#frames.map(({ png }) => png),
      { join: { animated: true } },
    )
      .webp({ delay, loop: 0, quality: 70, effort: 5, minSize: true })
      .toFile(path);
    const kilobytes = Math.round(statSync(path).size / 1000);
    return `${path}: ${this.#frames.length} pictures, ${this.seconds.toFixed(1)} s, ${kilobytes} kB`;
  }
}

/** Writes a picture, given as PNG, as WebP. Returns a line that says what was written. */
export async function savePicture(png: Buffer, path: string): Promise<string> {
  const sharp = await loadSharp();
  await sharp(png).webp({ quality: 85, effort: 5 }).toFile(path);
  return `${path}: ${Math.round(statSync(path).size / 1000)} kB`;
}
