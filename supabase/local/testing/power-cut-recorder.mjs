// Keeps beside a directory what a power cut would leave of it: of each file the bytes written before its last fsync, of each
// directory the names made, changed or removed before its last fsync. For a process whose files go through `node:fs`'s
// synchronous functions. What another process wrote counts once this one has synced it.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { dirname, join, relative } from "node:path";

/** Records what is done below `directory` into `remains`, from now on. */
export function recordPowerCut(directory, remains) {
  const { openSync, writeSync, fsyncSync, renameSync, unlinkSync, ftruncateSync, truncateSync } = fs;
  const { closeSync, cpSync, existsSync, mkdirSync, readSync, rmSync, statSync, fstatSync } = fs;
  const opened = new Map();
  /** Changes of names that no fsync of their directory has brought to the disk, by directory. */
  const pending = new Map();
  const inside = (path) => typeof path === "string" && !relative(directory, path).startsWith("..");
  const remaining = (path) => join(remains, relative(directory, path));
  let quiet = false;
  const quietly = (task) => {
    if (quiet) return;
    quiet = true;
    try {
      task();
    } finally {
      quiet = false;
    }
  };

  function note(path, change) {
    const parent = dirname(path);
    pending.set(parent, [...(pending.get(parent) ?? []), change]);
  }

  function syncDirectory(path) {
    mkdirSync(remaining(path), { recursive: true });
    for (const change of pending.get(path) ?? []) change();
    pending.delete(path);
  }

  /** The written ranges, or, of a file whose writing was not seen, everything. */
  function syncFile(descriptor, file) {
    const to = remaining(file.path);
    mkdirSync(dirname(to), { recursive: true });
    const size = fstatSync(descriptor).size;
    const isNew = !existsSync(to);
    const ranges = isNew ? [[0, size]] : file.ranges.splice(0);
    const from = openSync(file.path, "r");
    const target = openSync(to, isNew ? "w" : "r+");
    for (const [start, length] of ranges) {
      const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - start)));
      readSync(from, bytes, 0, bytes.length, start);
      writeSync(target, bytes, 0, bytes.length, start);
    }
    ftruncateSync(target, size);
    closeSync(from);
    closeSync(target);
  }

  fs.openSync = (path, ...rest) => {
    const descriptor = openSync(path, ...rest);
    if (!quiet && inside(path)) opened.set(descriptor, { path, ranges: rangesOf(path) });
    return descriptor;
  };
  /** All descriptors of one file share what was written. */
  function rangesOf(path) {
    for (const file of opened.values()) if (file.path === path) return file.ranges;
    return written.get(path) ?? written.set(path, []).get(path);
  }
  const written = new Map();
  fs.writeSync = (descriptor, buffer, offset, length, position) => {
    const count = writeSync(descriptor, buffer, offset, length, position);
    const file = quiet ? undefined : opened.get(descriptor);
    if (file) file.ranges.push([position, count]);
    return count;
  };
  fs.closeSync = (descriptor) => {
    opened.delete(descriptor);
    closeSync(descriptor);
  };
  fs.fsyncSync = (descriptor) => {
    fsyncSync(descriptor);
    const file = opened.get(descriptor);
    if (!file) return;
    quietly(() => (fstatSync(descriptor).isDirectory() ? syncDirectory(file.path) : syncFile(descriptor, file)));
  };
  fs.renameSync = (from, to) => {
    renameSync(from, to);
    if (quiet || !inside(to)) return;
    written.set(to, written.get(from) ?? []);
    note(to, () => {
      if (!existsSync(remaining(from))) return;
      rmSync(remaining(to), { recursive: true, force: true });
      renameSync(remaining(from), remaining(to));
    });
  };
  fs.unlinkSync = (path) => {
    unlinkSync(path);
    if (!quiet && inside(path)) note(path, () => rmSync(remaining(path), { force: true }));
  };
  fs.truncateSync = (path, length) => {
    truncateSync(path, length);
    if (!quiet && inside(path)) rangesOf(path).push([0, statSync(path).size]);
  };
  if (existsSync(directory)) cpSync(directory, remains, { recursive: true });
  syncBuiltinESMExports();
}
