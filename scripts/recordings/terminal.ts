import { spawn } from "node:child_process";
import type { Page } from "playwright-core";
import type { Film } from "./film.ts";

/** A studio that was started in a terminal, and what the terminal said meanwhile. */
export interface Started {
  url: string;
  /** Each piece of output, and when it came, in milliseconds since the command was entered. */
  output: readonly { text: string; at: number }[];
  stop(): Promise<void>;
}

const address = /https?:\/\/(?:127\.0\.0\.1|localhost):\d+/;

/**
 * Starts the studio in a directory, as `npm start` does there, and resolves when it answers. npm itself passes no signal
 * on, and a studio that outlives it keeps whoever reads its output from ending.
 */
export async function npmStart(directory: string): Promise<Started> {
  const began = Date.now();
  const output: { text: string; at: number }[] = [];
  const child = spawn(process.execPath, ["cli/start.mjs", "--no-open", "--port", "0"], {
    cwd: directory,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (data: Buffer) => {
        output.push({ text: String(data), at: Date.now() - began });
        const found = address.exec(output.map(({ text }) => text).join(""))?.[0];
        if (found !== undefined) resolve(found);
      });
    }
    void ended.then(() => reject(new Error(`npm start ended early:\n${output.map(({ text }) => text).join("")}`)));
  });
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await ended;
  };
  return { url, output, stop };
}

const look = `
  body { margin: 0; background: #0f172a; color: #e2e8f0; font: 19px/1.55 ui-monospace, "DejaVu Sans Mono", monospace; }
  pre { margin: 0; padding: 40px; white-space: pre-wrap; font: inherit; }
`;

/** Adds to the film how the command is typed and what it prints, in `seconds` instead of the time that it took. */
export async function filmTerminal(page: Page, film: Film, started: Started, seconds: number): Promise<void> {
  await page.setContent(`<style>${look}</style><pre></pre>`);
  const show = async (text: string, ms: number): Promise<void> => {
    await page.locator("pre").evaluate((box, shown) => (box.textContent = shown), text);
    film.add(await page.screenshot({ type: "png" }), ms);
  };
  const command = "npm start";
  for (let length = 0; length <= command.length; length += 1) {
    await show(`switchyard $ ${command.slice(0, length)}█`, length === 0 ? 300 : 60);
  }
  const took = started.output.at(-1)?.at ?? 1;
  let printed = `switchyard $ ${command}\n\n`;
  for (const [index, { text, at }] of started.output.entries()) {
    printed += text.replace(new RegExp(String.raw`\u001b\[[0-9;]*[A-Za-z]`, "g"), "");
    const next = started.output[index + 1]?.at ?? at;
    await show(`${printed}█`, ((next - at) / took) * seconds * 1000);
  }
  film.holdLast(700);
}
