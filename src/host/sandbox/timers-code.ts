/** Runs inside the sandbox when code first needs a timer. `wait` gives the milliseconds until the next one, `fire` runs it. */
export const timersCode = String.raw`(function ({ set }) {
  const RealDate = Date, realNow = Date.now;
  const timers = new Map();
  let skipped = 0, lastTimer = 0;
  const now = () => realNow() + skipped;
  // Waiting takes no time inside; from then on the clock of the code is ahead of the host's.
  const moveClock = (ms) => {
    skipped += ms;
    if (Date !== RealDate) return;
    const Moved = function Date(...parts) {
      if (new.target === undefined) return new RealDate(now()).toString();
      return Reflect.construct(RealDate, parts.length === 0 ? [now()] : parts, new.target);
    };
    for (const name of ["parse", "UTC"]) set(Moved, name, RealDate[name]);
    set(Moved, "now", now);
    Object.defineProperty(Moved, "prototype", { value: RealDate.prototype, writable: false });
    set(RealDate.prototype, "constructor", Moved);
    set(globalThis, "Date", Moved);
  };
  const start = (repeats) => (run, ms, ...values) => {
    if (typeof run !== "function") throw new TypeError("A timer needs a function.");
    const every = Math.max(1, Number(ms) || 0);
    timers.set((lastTimer += 1), { at: now() + every, every, repeats, run, values });
    return lastTimer;
  };
  const clear = (id) => void timers.delete(id);
  const next = () => {
    let first;
    for (const [id, timer] of timers) if (first === undefined || timer.at < first[1].at) first = [id, timer];
    return first;
  };
  const wait = () => { const first = next(); return first === undefined ? -1 : Math.max(0, first[1].at - now()); };
  const fire = () => {
    const [id, timer] = next();
    moveClock(Math.max(0, timer.at - now()));
    if (timer.repeats) timer.at = now() + timer.every;
    else timers.delete(id);
    timer.run(...timer.values);
  };
  return {
    setTimeout: start(false), setInterval: start(true), clearTimeout: clear, clearInterval: clear,
    queueMicrotask: (run) => void Promise.resolve().then(() => run()),
    wait, fire,
  };
})`;
