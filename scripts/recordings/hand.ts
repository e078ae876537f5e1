import type { Locator, Page } from "playwright-core";

const stepMs = 16;
const travelMs = 260;

/** Draws a pointer where the mouse is: pictures of a page have none. */
export async function showPointer(page: Page): Promise<void> {
  // Functions that are handed to the page call this helper of the compiler that loads TypeScript here.
  await page.addInitScript("globalThis.__name = (named) => named");
  await page.addInitScript(() => {
    const draw = (): void => {
      const pointer = document.createElement("div");
      Object.assign(pointer.style, {
        position: "fixed",
        left: "0",
        top: "0",
        width: "18px",
        height: "18px",
        borderRadius: "50%",
        background: "rgba(15, 23, 42, 0.35)",
        border: "2px solid white",
        boxShadow: "0 0 0 1px rgba(15, 23, 42, 0.5)",
        transform: "translate(-100px, -100px)",
        zIndex: "2147483647",
        pointerEvents: "none",
      });
      document.documentElement.append(pointer);
      const place = ({ clientX, clientY, buttons }: MouseEvent): void => {
        const size = buttons > 0 ? 0.7 : 1;
        pointer.style.transform = `translate(${clientX - 11}px, ${clientY - 11}px) scale(${size})`;
      };
      for (const type of ["mousemove", "mousedown", "mouseup"] as const) {
        document.addEventListener(type, place, { capture: true });
      }
    };
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", draw);
    else draw();
  });
}

/** Moves the mouse and types as a person does. */
export class Hand {
  readonly #page: Page;
  #x = 600;
  #y = 500;

  constructor(page: Page) {
    this.#page = page;
  }

  async click(target: Locator): Promise<void> {
    await this.moveTo(target);
    await this.#page.mouse.down();
    await this.#page.waitForTimeout(60);
    await this.#page.mouse.up();
  }

  async moveTo(target: Locator): Promise<void> {
    await target.waitFor();
    const box = await target.boundingBox();
    if (box === null) throw new Error(`Not on the page: ${String(target)}`);
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const steps = Math.round(travelMs / stepMs);
    for (let step = 1; step <= steps; step += 1) {
      const part = (1 - Math.cos((Math.PI * step) / steps)) / 2;
      await this.#page.mouse.move(this.#x + (x - this.#x) * part, this.#y + (y - this.#y) * part);
      await this.#page.waitForTimeout(stepMs / 2);
    }
    [this.#x, this.#y] = [x, y];
  }

  async type(words: string): Promise<void> {
    await this.#page.keyboard.type(words, { delay: 22 });
  }
}
