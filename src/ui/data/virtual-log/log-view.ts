import { type Anchor, anchorAt, type MeasuredSizes, type RowPlaces, type SizedRow, topKeeping } from "./row-places.ts";

/** How near to the end still counts as being there, in pixels. */
const nearEnd = 24;
/** Above the first row, and above a row that was asked for. */
export const margin = 12;
/** The window of mounted rows moves in steps of so many pixels: most scrolling then draws nothing. */
const step = 200;

/** React ends a component that draws itself anew more than 50 times before the page is painted. */
const mostPasses = 8;

/** What a reader scrolls with, and for how many milliseconds a scroll that follows it counts as theirs. */
const inputs = { wheel: 500, touchmove: 1_000, keydown: 500, pointerdown: 5_000 };

/** What of a view decides what is drawn. */
interface Seen {
  sizes: MeasuredSizes;
  /** Of the frame, in pixels. */
  width: number;
  height: number;
  /** Where the view begins, in steps. */
  top: number;
  atEnd: boolean;
}

/** Where the view has to be whatever grows or shrinks, until the reader scrolls: at the end, or at a row's top. */
type Goal = { at: "end" } | { at: "row"; key: string };

/** Rows as they are drawn at the moment. */
interface Drawn {
  rows: readonly SizedRow[];
  places: RowPlaces;
  /** Of the frame, in pixels. */
  height: number;
}

const nothing: Drawn = { height: 0, rows: [], places: { tops: new Float64Array(1), indexOf: new Map() } };

/** The view of a log: measures its rows, and holds the frame where the reader wants it. A store for `useSyncExternalStore`. */
export class LogView {
  #seen: Seen = { sizes: new Map(), width: 720, height: 800, top: Number.MAX_SAFE_INTEGER, atEnd: true };
  #listeners = new Set<() => void>();
  #frame: HTMLElement | null = null;
  #drawn = nothing;
  #goal: Goal | null = { at: "end" };
  #anchor: Anchor | null = null;
  #lastTop = 0;
  /** Until when a scroll counts as the reader's, by `performance.now()`. */
  #readerUntil = 0;
  #newest: string | number | undefined;
  /** Times that rows were measured as they were mounted, since the page was last free. */
  #passes = 0;
  // Made with the first element: rows are mounted before their frame.
  #observer: ResizeObserver | undefined;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly seen = (): Seen => this.#seen;

  /** The scrolling element, from its mounting to its end. */
  readonly mount = (frame: HTMLElement | null): (() => void) | undefined => {
    if (frame === null) return undefined;
    this.#frame = frame;
    const forget = this.#observe(frame);
    const heard = new AbortController();
    for (const [type, ms] of Object.entries(inputs)) {
      const hear = () => (this.#readerUntil = Math.max(this.#readerUntil, performance.now() + ms));
      frame.addEventListener(type, hear, { passive: true, signal: heard.signal });
    }
    return () => {
      heard.abort();
      forget();
      this.#frame = null;
    };
  };

  /**
   * A mounted row, which carries its key as `data-row`. It is measured before it is painted, unless its height is one of
   * too many in a row that each brought others into the page: then once the page is free.
   */
  readonly attach = (row: HTMLElement | null): (() => void) | undefined =>
    row === null ? undefined : this.#observe(row);

  /** Told of what was drawn, before it is painted. */
  settle(drawn: Drawn): void {
    this.#drawn = drawn;
    if (this.#passes === 0) setTimeout(() => (this.#passes = 0));
    this.#passes += 1;
    const frame = this.#frame;
    if (frame === null || frame.clientHeight === 0) return;
    const { tops, indexOf } = drawn.places;
    const last = Math.max(0, (tops.at(-1) ?? 0) - drawn.height);
    if (this.#goal?.at === "end") this.#scrollTo(last);
    else if (this.#goal?.at === "row") {
      const index = indexOf.get(this.#goal.key);
      if (index !== undefined) this.#scrollTo(Math.min(last, (tops[index] ?? 0) - margin));
    } else if (this.#anchor !== null) {
      const top = topKeeping(this.#anchor, drawn.places, this.#seen.sizes);
      const moved = top === null ? 0 : top - this.#lastTop;
      // What the reader has scrolled since then stays scrolled.
      if (Math.abs(moved) >= 1) this.#scrollTo(frame.scrollTop + moved);
    }
    this.#dropAnchor();
  }

  readonly onScroll = (): void => {
    const frame = this.#frame;
    if (frame === null || frame.clientHeight === 0) return;
    const { scrollTop, clientHeight, scrollHeight } = frame;
    // Smaller moves are the view's own, or the rounding of them.
    const byReader = Math.abs(scrollTop - this.#lastTop) > 1;
    this.#lastTop = scrollTop;
    this.#dropAnchor();
    // Where rows turn out lower than they were taken for, the browser itself moves the end of the view up.
    const pushed = this.#goal?.at === "end" && performance.now() > this.#readerUntil;
    if (!byReader || pushed) {
      this.#change({ top: inSteps(scrollTop) });
      if (pushed) this.settle(this.#drawn);
      return;
    }
    const atEnd = scrollTop + clientHeight >= scrollHeight - nearEnd;
    this.#goal = atEnd ? { at: "end" } : null;
    this.#change({ top: inSteps(scrollTop), atEnd });
  };

  /** Brings a row to the top of the view. */
  readonly show = (key: string): void => {
    this.#goal = { at: "row", key };
    this.#change({ atEnd: false });
    this.settle(this.#drawn);
  };

  /** Brings the end into view when there is something newer of the reader's own than the last time. */
  showNewest(newest: string | number): void {
    if (this.#newest !== newest) this.showEnd();
    this.#newest = newest;
  }

  /** Brings the end into view, and stays there. */
  readonly showEnd = (): void => {
    this.#goal = { at: "end" };
    this.#change({ atEnd: true });
    this.settle(this.#drawn);
  };

  /** The reader is about to open something in a row: its head stays where it is, and the row grows downwards. */
  readonly stay = (): void => {
    this.#goal = null;
    this.#dropAnchor();
    // Once it has grown, and been measured.
    requestAnimationFrame(() => requestAnimationFrame(() => this.#seeEnd()));
  };

  #seeEnd(): void {
    const frame = this.#frame;
    if (frame === null || this.#goal !== null) return;
    const atEnd = frame.scrollTop + frame.clientHeight >= frame.scrollHeight - nearEnd;
    if (atEnd) this.#goal = { at: "end" };
    this.#change({ atEnd });
  }

  #observe(element: HTMLElement): () => void {
    this.#observer ??= new ResizeObserver((entries) => this.#measure(entries.map(({ target }) => target)));
    this.#observer.observe(element);
    // The observer tells of it as well, a little later.
    if (this.#passes < mostPasses) this.#measure([element]);
    return () => this.#observer?.unobserve(element);
  }

  #scrollTo(top: number): void {
    if (this.#frame === null) return;
    if (Math.abs(this.#frame.scrollTop - top) >= 0.5) this.#frame.scrollTop = top;
    this.#lastTop = this.#frame.scrollTop;
    this.#change({ top: inSteps(this.#lastTop) });
  }

  #dropAnchor(): void {
    const { rows, places } = this.#drawn;
    this.#anchor = anchorAt(rows, places.tops, this.#seen.sizes, this.#lastTop);
  }

  #measure(elements: readonly Element[]): void {
    const frame = this.#frame;
    let { width, height } = this.#seen;
    let known = this.#seen.sizes;
    let rows = elements;
    // A hidden frame, as on a phone that shows another part, has no size to go by.
    if (frame !== null && frame.offsetHeight > 0 && elements.includes(frame)) {
      if (frame.clientWidth !== width) {
        // Text breaks elsewhere: what was measured says little of rows that are not in the page. Those that are may keep
        // their own width and so be measured by nobody else.
        known = new Map();
        rows = [...frame.querySelectorAll("[data-row]")];
      }
      ({ clientWidth: width, clientHeight: height } = frame);
    }
    const found = new Map<string, number>();
    for (const row of rows) {
      if (row === frame || !(row instanceof HTMLElement) || row.offsetHeight === 0) continue;
      const key = row.dataset["row"] ?? "";
      if (known.get(key) !== row.offsetHeight) found.set(key, row.offsetHeight);
    }
    this.#change({ sizes: found.size === 0 ? known : new Map([...known, ...found]), width, height });
  }

  #change(part: Partial<Seen>): void {
    const next = { ...this.#seen, ...part };
    const before = this.#seen;
    const same =
      next.sizes === before.sizes &&
      next.width === before.width &&
      next.height === before.height &&
      next.top === before.top &&
      next.atEnd === before.atEnd;
    if (same) return;
    this.#seen = next;
    for (const listener of this.#listeners) listener();
  }
}

function inSteps(top: number): number {
  return Math.floor(top / step) * step;
}
