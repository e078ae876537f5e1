// Says what a long step does and roughly how long it takes: one line, and on a terminal a bar that moves while the step blocks
// this process. Plain JavaScript without dependencies: it runs before the install.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const width = 24;

/** "about 40 seconds", "about 2 minutes". */
export function roughly(seconds) {
  if (seconds < 90) return `about ${seconds} seconds`;
  return `about ${Math.round(seconds / 60)} minutes`;
}

/** One state of the bar. What takes longer than thought stays just short of its end. */
export function barLine(what, elapsed, expected) {
  const filled = Math.min(width - 1, Math.floor((elapsed / expected) * width));
  return `${what}  ${"█".repeat(filled)}${"░".repeat(width - filled)}  ${Math.floor(elapsed)} s of ${roughly(expected)}`;
}

/** Begins to tell of a step on stderr; the function that it returns ends that. */
export function tellProgress(what, expected) {
  if (!process.stderr.isTTY) {
    console.error(`${what}, ${roughly(expected)}…`);
    return () => {};
  }
  const startedAt = Date.now();
  const bar = spawn(process.execPath, [fileURLToPath(import.meta.url), what, String(expected)], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  return () => {
    bar.kill();
    process.stderr.write(`\r\u001b[2K${what}: ${Math.max(1, Math.round((Date.now() - startedAt) / 1_000))} s\n`);
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [what, expected] = process.argv.slice(2);
  const startedAt = Date.now();
  const parent = process.ppid;
  setInterval(() => {
    // Whoever it tells of may have been killed.
    if (process.ppid !== parent) process.exit(0);
    process.stderr.write(`\r\u001b[2K${barLine(what, (Date.now() - startedAt) / 1_000, Number(expected))}`);
  }, 200);
}
